#include "textflag.h"

// handler has the interface of C: void handler(int signal, siginfo_t *info, void *context). It calls handle, and then
// jumps to the handler that it returns, if there is one. handle may store its arguments in the lowest 24 bytes.
TEXT handler(SB), NOSPLIT|NOFRAME, $0
	SUBQ $104, SP
	MOVQ DI, 24(SP)
	MOVQ SI, 32(SP)
	MOVQ DX, 40(SP)
	MOVQ BX, 48(SP)
	MOVQ BP, 56(SP)
	MOVQ R12, 64(SP)
	MOVQ R13, 72(SP)
	MOVQ R14, 80(SP)
	MOVQ R15, 88(SP)
	MOVL DI, AX
	MOVQ SI, BX
	MOVQ 168(DX), CX // of the ucontext_t: the instruction
	PXOR X15, X15
	MOVQ ·handleCall(SB), R11
	MOVQ (R11), R11
	CALL R11
	MOVQ 24(SP), DI
	MOVQ 32(SP), SI
	MOVQ 40(SP), DX
	MOVQ 48(SP), BX
	MOVQ 56(SP), BP
	MOVQ 64(SP), R12
	MOVQ 72(SP), R13
	MOVQ 80(SP), R14
	MOVQ 88(SP), R15
	ADDQ $104, SP
	TESTQ AX, AX
	JNE next
	RET
next:
	JMP AX

// mapped is mmap with the interface of C, but returns the number of an error. It calls noMemory where memory runs out.
TEXT mapped(SB), NOSPLIT|NOFRAME, $0
	MOVQ CX, R10
	MOVL $9, AX // SYS_MMAP
	SYSCALL
	CMPQ AX, $0xfffffffffffff001
	JCS done
	NEGQ AX
	CMPQ AX, $12 // ENOMEM
	JNE done
	SUBQ $24, SP
	MOVQ BP, 16(SP)
	PXOR X15, X15
	MOVQ ·noMemoryCall(SB), R11
	MOVQ (R11), R11
	CALL R11
	MOVQ 16(SP), BP
	ADDQ $24, SP
	MOVL $12, AX
done:
	RET

// func code() (begin, end uintptr)
TEXT ·code(SB), NOSPLIT, $0-16
	LEAQ runtime·text(SB), AX
	MOVQ AX, begin+0(FP)
	LEAQ runtime·etext(SB), AX
	MOVQ AX, end+8(FP)
	RET
