#include "textflag.h"

// handler has the interface of C: void handler(int signal, siginfo_t *info, void *context). It calls handle, and then
// jumps to the handler that it returns, if there is one. handle may store its arguments in the bytes from 8 to 32.
TEXT handler(SB), NOSPLIT|NOFRAME, $0
	SUB $160, RSP
	STP (R0, R1), 32(RSP)
	STP (R2, R30), 48(RSP)
	STP (R19, R20), 64(RSP)
	STP (R21, R22), 80(RSP)
	STP (R23, R24), 96(RSP)
	STP (R25, R26), 112(RSP)
	STP (R27, g), 128(RSP)
	MOVD R29, 144(RSP)
	MOVWU R0, R0
	MOVD 440(R2), R2 // of the ucontext_t: the instruction
	MOVD ·handleCall(SB), R9
	MOVD (R9), R9
	CALL (R9)
	MOVD R0, R9
	LDP 32(RSP), (R0, R1)
	LDP 48(RSP), (R2, R30)
	LDP 64(RSP), (R19, R20)
	LDP 80(RSP), (R21, R22)
	LDP 96(RSP), (R23, R24)
	LDP 112(RSP), (R25, R26)
	LDP 128(RSP), (R27, g)
	MOVD 144(RSP), R29
	ADD $160, RSP
	CBNZ R9, next
	RET
next:
	JMP (R9)

// mapped is mmap with the interface of C, but returns the number of an error. It calls noMemory where memory runs out.
TEXT mapped(SB), NOSPLIT|NOFRAME, $0
	MOVD $222, R8 // SYS_MMAP
	SVC
	CMN $4095, R0
	BCC done
	NEG R0, R0
	CMP $12, R0 // ENOMEM
	BNE done
	SUB $32, RSP
	STP (R29, R30), 16(RSP)
	MOVD ·noMemoryCall(SB), R9
	MOVD (R9), R9
	CALL (R9)
	LDP 16(RSP), (R29, R30)
	ADD $32, RSP
	MOVD $12, R0
done:
	RET

// func code() (begin, end uintptr)
TEXT ·code(SB), NOSPLIT, $0-16
	MOVD $runtime·text(SB), R0
	MOVD R0, begin+0(FP)
	MOVD $runtime·etext(SB), R0
	MOVD R0, end+8(FP)
	RET
