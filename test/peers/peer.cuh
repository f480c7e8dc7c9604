// Shared by the CUDA programs: checks of errors, times by events, a line of JSON for each figure, and the data.
#pragma once
#include <cuda_runtime.h>
#include <curand_kernel.h>
#define LAUNCH(k, g, b, ...) (k<<<(g), (b), 0, g_st>>>(__VA_ARGS__))
static cudaStream_t g_st = 0;
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>
#define CK(x)                                                                                        \
    do {                                                                                             \
        cudaError_t e_ = (x);                                                                        \
        if (e_ != cudaSuccess) {                                                                     \
            fprintf(stderr, "CUDA error %s at %s:%d\n", cudaGetErrorString(e_), __FILE__, __LINE__); \
            exit(2);                                                                                 \
        }                                                                                            \
    } while (0)
#define CKL() CK(cudaGetLastError())

static std::string g_dev = "?";
static int g_sms = 1;
static inline void init_dev() {
    cudaDeviceProp p;
    CK(cudaGetDeviceProperties(&p, 0));
    g_dev = p.name;
    g_sms = p.multiProcessorCount;
    CK(cudaFree(0));
    CK(cudaStreamCreate(&g_st));
}
static inline void emit(const char* bench, const char* lib, const char* fn, const char* dt, size_t D, size_t P,
                        const char* metric, double v, const char* unit, const std::string& note = "", double ms = -1) {
    char b[1024], m[64] = "", vs[32] = "null";
    if (std::isfinite(v)) snprintf(vs, sizeof vs, "%.6g", v);
    if (ms >= 0) snprintf(m, sizeof m, ", \"ms\": %.6g", ms);
    snprintf(b, sizeof b,
             "{\"bench\": \"%s\", \"lib\": \"%s\", \"fn\": \"%s\", \"dtype\": \"%s\", \"D\": %zu, \"P\": %zu, "
             "\"metric\": \"%s\", \"value\": %s, \"unit\": \"%s\", \"note\": \"%s\", \"dev\": \"%s\"%s}",
             bench, lib, fn, dt, D, P, metric, vs, unit, note.c_str(), g_dev.c_str(), m);
    puts(b);
    fflush(stdout);
    if (const char* f = getenv("PEERS_JSONL"))
        if (FILE* o = fopen(f, "a")) {
            fprintf(o, "%s\n", b);
            fclose(o);
        }
}
// median ms of one call of f: warm up, choose the repeats so that one rep lasts about target_ms, `reps` reps
static inline double time_ms(const std::function<void()>& f, int reps = 7, double target_ms = 15, int max_it = 200) {
    cudaEvent_t a, b;
    CK(cudaEventCreate(&a));
    CK(cudaEventCreate(&b));
    f();
    CK(cudaDeviceSynchronize());
    float t = 0;
    CK(cudaEventRecord(a, g_st));
    f();
    CK(cudaEventRecord(b, g_st));
    CK(cudaEventSynchronize(b));
    CK(cudaEventElapsedTime(&t, a, b));
    int it = std::max(1, std::min(max_it, (int)(target_ms / std::max(t, 1e-3f))));
    for (int i = 0; i < it; i++) f();  // clocks up
    std::vector<float> v;
    for (int r = 0; r < reps; r++) {
        CK(cudaEventRecord(a, g_st));
        for (int i = 0; i < it; i++) f();
        CK(cudaEventRecord(b, g_st));
        CK(cudaEventSynchronize(b));
        CK(cudaEventElapsedTime(&t, a, b));
        v.push_back(t / it);
    }
    CKL();
    std::sort(v.begin(), v.end());
    CK(cudaEventDestroy(a));
    CK(cudaEventDestroy(b));
    return v[v.size() / 2];
}
// the same launches captured once and replayed: ms of one replay (launch gaps nearly gone)
static inline double graph_ms(const std::function<void()>& f) {
    cudaGraph_t g;
    cudaGraphExec_t ge;
    CK(cudaStreamBeginCapture(g_st, cudaStreamCaptureModeThreadLocal));
    f();
    CK(cudaStreamEndCapture(g_st, &g));
#if CUDART_VERSION >= 12000
    CK(cudaGraphInstantiate(&ge, g, 0));
#else
    CK(cudaGraphInstantiateWithFlags(&ge, g, 0));
#endif
    double ms = time_ms([&] { CK(cudaGraphLaunch(ge, g_st)); });
    CK(cudaGraphExecDestroy(ge));
    CK(cudaGraphDestroy(g));
    return ms;
}
static inline double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// ---- CEC'2013 data (cec.bin, made by data.py)
struct Cec {
    std::vector<double> a, xopt[5], perm, s, w, R25, R50, R100, tx[5], tv[5];
    Cec() {
        const char* h = getenv("PEERS_DIR");
        std::string f = std::string(h ? h : ".") + "/cec.bin";
        FILE* i = fopen(f.c_str(), "rb");
        if (!i) {
            fprintf(stderr, "no %s\n", f.c_str());
            exit(2);
        }
        a.resize(59179);
        if (fread(a.data(), 8, a.size(), i) != a.size()) {
            fprintf(stderr, "short data\n");
            exit(2);
        }
        fclose(i);
        size_t o = 0;
        auto take = [&](size_t n) {
            std::vector<double> v(a.begin() + o, a.begin() + o + n);
            o += n;
            return v;
        };
        for (auto& x : xopt) x = take(1000);
        perm = take(1000);
        s = take(7);
        w = take(7);
        R25 = take(625);
        R50 = take(2500);
        R100 = take(10000);
        for (int f = 0; f < 5; f++)
            for (int k = 0; k < 8; k++) {
                auto q = take(1001);
                tx[f].insert(tx[f].end(), q.begin(), q.begin() + 1000);
                tv[f].push_back(q[1000]);
            }
    }
};
static const char* FN_NAME[5] = {"F1", "F2", "F3", "F4", "F12"};
static const double FN_LO[5] = {-100, -5, -32, -100, -100};
template <class T>
static T* dev_copy(const std::vector<double>& v) {
    std::vector<T> h(v.begin(), v.end());
    T* d;
    CK(cudaMalloc(&d, h.size() * sizeof(T)));
    CK(cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}
static inline int* dev_copy_i(const std::vector<int>& h) {
    int* d;
    CK(cudaMalloc(&d, h.size() * 4));
    CK(cudaMemcpy(d, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
    return d;
}
// ---- device helpers
__device__ __forceinline__ double block_sum(double v) {  // result valid in thread 0; blockDim.x a multiple of 32
    __shared__ double sh[32];
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) sh[threadIdx.x >> 5] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? sh[threadIdx.x] : 0.0;
        for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
    }
    return v;
}
__device__ __forceinline__ double m_exp(double x) { return exp(x); }
__device__ __forceinline__ float m_exp(float x) { return expf(x); }
__device__ __forceinline__ double m_log(double x) { return log(x); }
__device__ __forceinline__ float m_log(float x) { return logf(x); }
__device__ __forceinline__ double m_sin(double x) { return sin(x); }
__device__ __forceinline__ float m_sin(float x) { return sinf(x); }
__device__ __forceinline__ double m_cos(double x) { return cos(x); }
__device__ __forceinline__ float m_cos(float x) { return cosf(x); }
__device__ __forceinline__ double m_pow(double x, double y) { return pow(x, y); }
__device__ __forceinline__ float m_pow(float x, float y) { return powf(x, y); }
__device__ __forceinline__ double m_sqrt(double x) { return sqrt(x); }
__device__ __forceinline__ float m_sqrt(float x) { return sqrtf(x); }
__device__ __forceinline__ double m_abs(double x) { return fabs(x); }
__device__ __forceinline__ float m_abs(float x) { return fabsf(x); }
__device__ __forceinline__ double m_cospi(double x) { return cospi(x); }
__device__ __forceinline__ float m_cospi(float x) { return cospif(x); }
__device__ __forceinline__ void m_sincospi(double x, double* s, double* c) { sincospi(x, s, c); }
__device__ __forceinline__ void m_sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
// L = log|Tosz(z)| (z != 0): Tosz(z) = sign(z) exp(L)
template <class T>
__device__ __forceinline__ T osz_log(T z) {
    T h = m_log(m_abs(z));
    bool p = z > T(0);
    T c1 = p ? T(10) : T(5.5), c2 = p ? T(7.9) : T(3.1);
    return h + T(0.049) * (m_sin(c1 * h) + m_sin(c2 * h));
}
// as the official C++ writes it
template <class T>
__device__ __forceinline__ T osz_naive(T z) {
    T h = z == T(0) ? T(0) : m_log(m_abs(z));
    T c1 = z > T(0) ? T(10) : T(5.5), c2 = z > T(0) ? T(7.9) : T(3.1);
    T s = z > T(0) ? T(1) : (z < T(0) ? T(-1) : T(0));
    return s * m_exp(h + T(0.049) * (m_sin(c1 * h) + m_sin(c2 * h)));
}
template <class T>
struct DT {
    static const char* n() { return sizeof(T) == 8 ? "fp64" : "fp32"; }
};
