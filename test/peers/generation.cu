// One generation of NGPUs-MA-SW-Chains and one Solis-Wets step for every individual, in plain CUDA C++, fused:
// NAM mating among 3, BLX-0.5, BGA mutation (pm 1/1024), clip, F1, best P of 2P. Slots instead of copies, Philox
// counters instead of stored random numbers, individuals fastest in the grid so that partners meet in the L2.
#include "peer.cuh"
static const int BS = 256, CH = 8192;  // CH genes a block
__device__ __forceinline__ void philox(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t k0, uint32_t k1,
                                       uint32_t* o) {
#pragma unroll
    for (int r = 0; r < 10; r++) {
        uint64_t a = (uint64_t)0xD2511F53u * c0, b = (uint64_t)0xCD9E8D57u * c2;
        uint32_t n0 = (uint32_t)(b >> 32) ^ c1 ^ k0, n2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)b;
        c3 = (uint32_t)a;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    o[0] = c0;
    o[1] = c1;
    o[2] = c2;
    o[3] = c3;
}
template <class T>
__device__ __forceinline__ T uni(uint32_t a, uint32_t b);  // [0,1) from 32 bits and the upper 21 of b
template <>
__device__ __forceinline__ double uni<double>(uint32_t a, uint32_t b) {
    return ((double)(((uint64_t)a << 21) | (b >> 11)) + 0.5) * (1.0 / 9007199254740992.0);
}
template <>
__device__ __forceinline__ float uni<float>(uint32_t a, uint32_t b) {
    return ((float)(a >> 8) + 0.5f) * (1.0f / 16777216.0f);
}
template <class T>
__device__ __forceinline__ T f1_term(T z, T w) {
    if (z == T(0)) return T(0);
    T L = osz_log(z);
    return w * m_exp(L + L);
}
template <class T>
__device__ __forceinline__ T clip(T v) {
    return v < T(-100) ? T(-100) : v > T(100) ? T(100) : v;
}

template <class T>
__global__ void k_init(T* pop, size_t n, uint32_t seed) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        uint32_t r[4];
        philox((uint32_t)i, (uint32_t)(i >> 32), 99, 0, seed, 1, r);
        pop[i] = T(-100) + T(200) * uni<T>(r[0], r[1]);
    }
}
__global__ void k_cand(int* cand, int P, uint32_t gen, uint32_t seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= P) return;
    uint32_t r[4];
    philox(i, gen, 7, 0, seed, 2, r);
    for (int k = 0; k < 3; k++) cand[3 * i + k] = (int)(((uint64_t)r[k] * P) >> 32);
}
template <class T>
__global__ void __launch_bounds__(BS) k_dist(const T* __restrict__ slots, const int* __restrict__ par,
                                             const int* __restrict__ cand, uint32_t D, double* __restrict__ part) {
    int i = blockIdx.x;
    const T* a = slots + (size_t)par[i] * D;
    const T *b0 = slots + (size_t)par[cand[3 * i]] * D, *b1 = slots + (size_t)par[cand[3 * i + 1]] * D,
            *b2 = slots + (size_t)par[cand[3 * i + 2]] * D;
    T s0 = 0, s1 = 0, s2 = 0;
    uint32_t lo = blockIdx.y * CH, hi = lo + CH < D ? lo + CH : D;
    for (uint32_t j = lo + threadIdx.x; j < hi; j += BS) {
        T v = a[j], d;
        d = v - b0[j];
        s0 += d * d;
        d = v - b1[j];
        s1 += d * d;
        d = v - b2[j];
        s2 += d * d;
    }
    double q0 = block_sum((double)s0), q1 = block_sum((double)s1), q2 = block_sum((double)s2);
    if (threadIdx.x == 0) {
        double* p = part + ((size_t)i * gridDim.y + blockIdx.y) * 3;
        p[0] = q0;
        p[1] = q1;
        p[2] = q2;
    }
}
__global__ void __launch_bounds__(BS) k_mate(const double* __restrict__ part, int n, const int* __restrict__ cand,
                                             const int* __restrict__ par, int* __restrict__ mate) {
    double s[3] = {0, 0, 0};
    int i = blockIdx.x;
    for (int c = threadIdx.x; c < n; c += BS)
        for (int k = 0; k < 3; k++) s[k] += part[((size_t)i * n + c) * 3 + k];
    for (int k = 0; k < 3; k++) s[k] = block_sum(s[k]);
    if (threadIdx.x == 0) {
        int b = 0;
        if (s[1] > s[b]) b = 1;
        if (s[2] > s[b]) b = 2;
        mate[i] = par[cand[3 * i + b]];
    }
}
template <class T>
__device__ __forceinline__ T child_gene(T a, T b, uint32_t u0, uint32_t u1, uint32_t j, uint32_t i, uint32_t gen,
                                        uint32_t seed) {
    T lo = a < b ? a : b, I = a < b ? b - a : a - b;
    T c = lo - T(0.5) * I + uni<T>(u0, u1) * (I + I);
    if ((u1 & 1023u) == 0u) {  // rare: BGA
        uint32_t r[4];
        philox(j, i, gen, 5, seed, 4, r);
        T d = T(20) * T(exp2(-16.0 * uni<double>(r[0], r[1])));
        c += (r[2] & 1) ? d : -d;
    }
    return clip(c);
}
template <class T>
__global__ void __launch_bounds__(BS)
    k_child(T* __restrict__ slots, const int* __restrict__ par, const int* __restrict__ mate,
            const int* __restrict__ fre, const T* __restrict__ xo, const T* __restrict__ w, uint32_t D,
            double* __restrict__ part, uint32_t gen, uint32_t seed) {
    uint32_t i = blockIdx.x;
    const T *a = slots + (size_t)par[i] * D, *b = slots + (size_t)mate[i] * D;
    T* c = slots + (size_t)fre[i] * D;
    T s = 0;
    uint32_t lo = blockIdx.y * CH, hi = lo + CH < D ? lo + CH : D;
    for (uint32_t j = lo + threadIdx.x; j < hi; j += 2 * BS) {  // one Philox block for genes j and j+BS
        uint32_t r[4];
        philox(j, i, gen, 3, seed, 4, r);
        T v = child_gene<T>(a[j], b[j], r[0], r[1], j, i, gen, seed);
        c[j] = v;
        uint32_t q = j % 1000u;
        s += f1_term<T>(v - xo[q], w[q]);
        uint32_t k = j + BS;
        if (k < hi) {
            v = child_gene<T>(a[k], b[k], r[2], r[3], k, i, gen, seed);
            c[k] = v;
            q = k % 1000u;
            s += f1_term<T>(v - xo[q], w[q]);
        }
    }
    double t = block_sum((double)s);
    if (threadIdx.x == 0) part[(size_t)i * gridDim.y + blockIdx.y] = t;
}
__global__ void __launch_bounds__(BS)
    k_sum(const double* __restrict__ part, int n, int m, double* __restrict__ out) {  // out[i*m+k]
    for (int k = 0; k < m; k++) {
        double s = 0;
        for (int c = threadIdx.x; c < n; c += BS) s += part[((size_t)blockIdx.x * n + c) * m + k];
        s = block_sum(s);
        if (threadIdx.x == 0) out[blockIdx.x * m + k] = s;
    }
}
template <class T>
__global__ void __launch_bounds__(BS)
    k_eval(const T* __restrict__ slots, const int* __restrict__ par, const T* __restrict__ xo, const T* __restrict__ w,
           uint32_t D, double* __restrict__ part) {
    const T* a = slots + (size_t)par[blockIdx.x] * D;
    T s = 0;
    uint32_t lo = blockIdx.y * CH, hi = lo + CH < D ? lo + CH : D;
    for (uint32_t j = lo + threadIdx.x; j < hi; j += BS) {
        uint32_t q = j % 1000u;
        s += f1_term<T>(a[j] - xo[q], w[q]);
    }
    double t = block_sum((double)s);
    if (threadIdx.x == 0) part[(size_t)blockIdx.x * gridDim.y + blockIdx.y] = t;
}
__global__ void __launch_bounds__(BS)
    k_select(int P, int* par, int* fre, double* f, const double* fc) {  // one block, 2P <= BS
    __shared__ double v[BS];
    __shared__ int sl[BS];
    int i = threadIdx.x;
    if (i < 2 * P) {
        v[i] = i < P ? f[i] : fc[i - P];
        sl[i] = i < P ? par[i] : fre[i - P];
    }
    __syncthreads();
    if (i < 2 * P) {
        int r = 0;
        for (int j = 0; j < 2 * P; j++) r += v[j] < v[i] || (v[j] == v[i] && j < i);
        if (r < P) {
            par[r] = sl[i];
            f[r] = v[i];
        } else
            fre[r - P] = sl[i];
    }
}
// ---- Solis-Wets: y1 = x + (bias + d), y2 = x - (bias + d), d ~ N(0, rho_i); both evaluated; d is drawn again in the
// update
template <class T>
__device__ __forceinline__ void normal2(uint32_t j, uint32_t i, uint32_t step, uint32_t seed, T* d) {
    uint32_t r[4];
    philox(j, i, step, 11, seed, 6, r);
    T u = uni<T>(r[0], r[1]), v = uni<T>(r[2], r[3]);
    T m = m_sqrt(T(-2) * m_log(u)), s, c;
    m_sincospi(T(2) * v, &s, &c);
    d[0] = m * c;
    d[1] = m * s;
}
template <class T>
__global__ void __launch_bounds__(BS)
    k_sw_eval(const T* __restrict__ slots, const int* __restrict__ par, const T* __restrict__ bias,
              const double* __restrict__ rho, const T* __restrict__ xo, const T* __restrict__ w, uint32_t D,
              double* __restrict__ part, uint32_t step, uint32_t seed) {
    uint32_t i = blockIdx.x;
    const T *x = slots + (size_t)par[i] * D, *b = bias + (size_t)i * D;
    T r = T(rho[i]), s1 = 0, s2 = 0;
    uint32_t lo = blockIdx.y * CH, hi = lo + CH < D ? lo + CH : D;
    for (uint32_t j = lo + threadIdx.x; j < hi; j += 2 * BS) {
        T d[2];
        normal2<T>(j, i, step, seed, d);
        for (int h = 0; h < 2; h++) {
            uint32_t k = j + h * BS;
            if (k < hi) {
                T v = x[k], e = b[k] + r * d[h];
                uint32_t q = k % 1000u;
                s1 += f1_term<T>(clip(v + e) - xo[q], w[q]);
                s2 += f1_term<T>(clip(v - e) - xo[q], w[q]);
            }
        }
    }
    double a = block_sum((double)s1), c = block_sum((double)s2);
    if (threadIdx.x == 0) {
        double* p = part + ((size_t)i * gridDim.y + blockIdx.y) * 2;
        p[0] = a;
        p[1] = c;
    }
}
__global__ void k_sw_decide(int P, double* f, const double* f12, const double* rho, double* rho2, int* ok, int* ns,
                            int* nf) {  // rho: used, rho2: next
    int i = threadIdx.x;
    if (i >= P) return;
    int k = f12[2 * i] < f[i] ? 1 : f12[2 * i + 1] < f[i] ? 2 : 0;
    ok[i] = k;
    if (k) {
        f[i] = f12[2 * i + k - 1];
        ns[i]++;
        nf[i] = 0;
    } else {
        nf[i]++;
        ns[i] = 0;
    }
    double r = rho[i];
    if (ns[i] > 5) {
        r *= 2;
        ns[i] = 0;
    }
    if (nf[i] > 3) {
        r *= 0.5;
        nf[i] = 0;
    }
    rho2[i] = r;
}
template <class T>
__global__ void __launch_bounds__(BS)
    k_sw_update(T* __restrict__ slots, const int* __restrict__ par, T* __restrict__ bias,
                const double* __restrict__ rho, const int* __restrict__ ok, uint32_t D, uint32_t step, uint32_t seed) {
    uint32_t i = blockIdx.x;
    int k0 = ok[i];
    T *x = slots + (size_t)par[i] * D, *b = bias + (size_t)i * D;
    T r = T(rho[i]);
    uint32_t lo = blockIdx.y * CH, hi = lo + CH < D ? lo + CH : D;
    if (!k0) {
        for (uint32_t j = lo + threadIdx.x; j < hi; j += BS) b[j] *= T(0.5);
        return;
    }
    for (uint32_t j = lo + threadIdx.x; j < hi; j += 2 * BS) {
        T d[2];
        normal2<T>(j, i, step, seed, d);
        for (int h = 0; h < 2; h++) {
            uint32_t k = j + h * BS;
            if (k < hi) {
                T bb = b[k], e = bb + r * d[h];
                if (k0 == 1) {
                    x[k] = clip(x[k] + e);
                    b[k] = T(0.2) * bb + T(0.4) * e;
                } else {
                    x[k] = clip(x[k] - e);
                    b[k] = bb - T(0.4) * e;
                }
            }
        }
    }
}
template <class T>
struct Ga {
    uint32_t D;
    int P;
    unsigned nc;
    T *slots, *bias, *xo, *w;
    int *par, *fre, *cand, *mate, *ok, *ns, *nf;
    double *part, *f, *fc, *f12, *rho, *rho2;
    uint32_t gen = 0, step = 0;
    Ga(const Cec& c, uint32_t D, int P, bool sw) : D(D), P(P), nc((D + CH - 1) / CH), bias(nullptr) {
        size_t n = (size_t)P * D;
        CK(cudaMalloc(&slots, 2 * n * sizeof(T)));
        if (sw) {
            CK(cudaMalloc(&bias, n * sizeof(T)));
            CK(cudaMemset(bias, 0, n * sizeof(T)));
        }
        std::vector<double> ww(1000);
        for (int i = 0; i < 1000; i++) ww[i] = pow(1e6, i / 999.0);
        xo = dev_copy<T>(c.xopt[0]);
        w = dev_copy<T>(ww);
        std::vector<int> a(P), b(P), z(P, 0), z3(3 * P, 0);
        for (int i = 0; i < P; i++) {
            a[i] = i;
            b[i] = P + i;
        }
        par = dev_copy_i(a);
        fre = dev_copy_i(b);
        cand = dev_copy_i(z3);
        mate = dev_copy_i(z);
        ok = dev_copy_i(z);
        ns = dev_copy_i(z);
        nf = dev_copy_i(z);
        std::vector<double> r(P, 10.0), f0(2 * P, 0.0);
        rho = dev_copy<double>(r);
        rho2 = dev_copy<double>(r);
        f = dev_copy<double>(f0);
        fc = dev_copy<double>(f0);
        f12 = dev_copy<double>(f0);
        CK(cudaMalloc(&part, (size_t)P * nc * 3 * 8));
        auto ki = k_init<T>;
        LAUNCH(ki, dim3(2048), 256, slots, n, 42u);
        eval(f);
    }
    ~Ga() {
        for (void* p :
             {(void*)slots, (void*)bias, (void*)xo, (void*)w, (void*)par, (void*)fre, (void*)cand, (void*)mate,
              (void*)ok, (void*)ns, (void*)nf, (void*)part, (void*)f, (void*)fc, (void*)f12, (void*)rho, (void*)rho2})
            if (p) CK(cudaFree(p));
    }
    void eval(double* o) {
        auto k = k_eval<T>;
        LAUNCH(k, dim3(P, nc), BS, slots, par, xo, w, D, part);
        LAUNCH(k_sum, dim3(P), BS, part, (int)nc, 1, o);
    }
    void generation() {
        gen++;
        LAUNCH(k_cand, dim3((P + 127) / 128), 128, cand, P, gen, 1u);
        auto kd = k_dist<T>;
        LAUNCH(kd, dim3(P, nc), BS, slots, par, cand, D, part);
        LAUNCH(k_mate, dim3(P), BS, part, (int)nc, cand, par, mate);
        auto kc = k_child<T>;
        LAUNCH(kc, dim3(P, nc), BS, slots, par, mate, fre, xo, w, D, part, gen, 1u);
        LAUNCH(k_sum, dim3(P), BS, part, (int)nc, 1, fc);
        LAUNCH(k_select, dim3(1), BS, P, par, fre, f, fc);
    }
    void sw() {
        step++;
        auto ke = k_sw_eval<T>;
        LAUNCH(ke, dim3(P, nc), BS, slots, par, bias, rho, xo, w, D, part, step, 1u);
        LAUNCH(k_sum, dim3(P), BS, part, (int)nc, 2, f12);
        LAUNCH(k_sw_decide, dim3(1), 128, P, f, f12, rho, rho2, ok, ns, nf);
        auto ku = k_sw_update<T>;
        LAUNCH(ku, dim3(P, nc), BS, slots, par, bias, rho, ok, D, step, 1u);
        std::swap(rho, rho2);
    }
    double best() {
        std::vector<double> h(P);
        CK(cudaDeviceSynchronize());
        CK(cudaMemcpy(h.data(), f, P * 8, cudaMemcpyDeviceToHost));
        return *std::min_element(h.begin(), h.end());
    }
    double recheck() {  // stored fitness against a fresh evaluation: max relative difference
        std::vector<double> a(P), b(P);
        CK(cudaDeviceSynchronize());
        CK(cudaMemcpy(a.data(), f, P * 8, cudaMemcpyDeviceToHost));
        eval(f12);
        CK(cudaDeviceSynchronize());
        CK(cudaMemcpy(b.data(), f12, P * 8, cudaMemcpyDeviceToHost));
        double e = 0;
        for (int i = 0; i < P; i++) e = std::max(e, fabs(a[i] - b[i]) / fabs(b[i]));
        return e;
    }
};
template <class T>
static void go(const Cec& c, uint32_t D, int P) {
    size_t fr, tot;
    CK(cudaMemGetInfo(&fr, &tot));
    if (fr < (size_t)P * D * sizeof(T) * 3 + (1u << 30)) {
        emit("ga", "cuda_fused", "F1", DT<T>::n(), D, P, "skipped", 0, "", "memory");
        return;
    }
    Ga<T> g(c, D, P, true);
    const char* dt = DT<T>::n();
    double f0 = g.best();
    for (int i = 0; i < 10; i++) g.generation();
    emit("ga", "cuda_fused", "F1", dt, D, P, "best_after_10", g.best() / f0, "rel to initial best", "");
    double ms = time_ms([&] { g.generation(); }, 7, 30, 50);
    emit("ga", "cuda_fused", "F1", dt, D, P, "generations_per_s", 1e3 / ms, "1/s",
         "6 kernels, no copies of individuals", ms);
    emit("ga", "cuda_fused", "F1", dt, D, P, "recheck_rel", g.recheck(), "1",
         "stored fitness against a fresh evaluation");
    f0 = g.best();
    for (int i = 0; i < 10; i++) g.sw();
    emit("ga", "cuda_fused", "F1_sw", dt, D, P, "best_after_10", g.best() / f0, "rel to before", "");
    ms = time_ms([&] { g.sw(); }, 7, 30, 50);
    emit("ga", "cuda_fused", "F1_sw", dt, D, P, "steps_per_s", 1e3 / ms, "1/s", "2 evaluations for every individual",
         ms);
    emit("ga", "cuda_fused", "F1_sw", dt, D, P, "recheck_rel", g.recheck(), "1", "");
}
int main() {
    init_dev();
    Cec c;
    for (int k = 0; k < 2; k++) {
        if (k == 0) {
            go<double>(c, 1000000, 100);
            go<double>(c, 10000000, 50);
            go<double>(c, 100000000, 8);
            go<double>(c, 100000000, 25);
        } else {
            go<float>(c, 1000000, 100);
            go<float>(c, 10000000, 50);
            go<float>(c, 100000000, 25);
        }
    }
}
