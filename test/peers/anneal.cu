// Parallel simulated annealing of Ferreiro et al. 2012 (V2, synchronous): one thread a chain, N moves a level, full
// re-evaluation of the normalized Schwefel function per move, then the best chain's point becomes every chain's start.
// T0=1000, Tmin=.01, rho=.99, N=100, 16384 chains: 1146 levels, 1.8776e9 evaluations. A move redraws one random
// coordinate uniformly in [-512, 512]. cuRAND Philox, three numbers a move.
//   full   - the paper's method: n terms per move. Point in global memory, coalesced ([n][chains]).
//   delta  - the same chain, but only the changed term is computed (what the full one should be compared with).
// Environment: SA_SECONDS = budget per (n, dtype, mode) in seconds (default 8): if the projected time is more,
// fewer levels are run and the note says so (time_s is then projected, moves_per_s is measured, error is left out).
#include "peer.cuh"
template <class T>
__device__ __forceinline__ T term(T x) {
    return x * m_sin(m_sqrt(m_abs(x)));
}
template <class T>
__device__ __forceinline__ void sa_chain(T* __restrict__ x, const T* __restrict__ best, T* __restrict__ fx,
                                         const double* __restrict__ fb, int n, int chains, int N, T invT,
                                         unsigned long long seed, unsigned long long level, bool delta) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= chains) return;
    curandStatePhilox4_32_10_t rs;
    curand_init(seed, c, level * (unsigned long long)(4 * N + 8), &rs);
    for (int i = 0; i < n; i++) x[(size_t)i * chains + c] = best[i];
    T f0 = T(fb[1]);  // f(best), recomputed by pick_kernel
    for (int k = 0; k < N; k++) {
        float4 u = curand_uniform4(&rs);
        int d = (int)(u.x * n);
        d = d < n ? d : n - 1;
        // fp64: 48 random bits for the new coordinate out of two words
        T xn = sizeof(T) == 8 ? T(-512) + T(1024) * (T(u.y) - T(u.w) * T(5.9604644775390625e-08))
                              : T(-512) + T(1024) * T(u.y);
        T f1;
        if (delta) {
            T xo = x[(size_t)d * chains + c];
            f1 = f0 - (term(xn) - term(xo)) / T(n);
        } else {
            T a0 = 0, a1 = 0, a2 = 0, a3 = 0;
            int i = 0;
            for (; i + 3 < n; i += 4) {
                T v0 = x[(size_t)i * chains + c], v1 = x[(size_t)(i + 1) * chains + c],
                  v2 = x[(size_t)(i + 2) * chains + c], v3 = x[(size_t)(i + 3) * chains + c];
                a0 += term(i == d ? xn : v0);
                a1 += term(i + 1 == d ? xn : v1);
                a2 += term(i + 2 == d ? xn : v2);
                a3 += term(i + 3 == d ? xn : v3);
            }
            for (; i < n; i++) a0 += term(i == d ? xn : x[(size_t)i * chains + c]);
            f1 = -((a0 + a1) + (a2 + a3)) / T(n);
        }
        if (T(u.z) <= m_exp(-(f1 - f0) * invT)) {
            x[(size_t)d * chains + c] = xn;
            f0 = f1;
        }
    }
    fx[c] = f0;
}
template <class T, int DELTA>
__global__ void __launch_bounds__(256)
    sa_kernel(T* __restrict__ x, const T* __restrict__ best, T* __restrict__ fx, const double* __restrict__ fb, int n,
              int chains, int N, T invT, unsigned long long seed, unsigned long long level) {
    sa_chain<T>(x, best, fx, fb, n, chains, N, invT, seed, level, DELTA);
}
// one block: argmin over the chains, then copy that chain's point to best (the paper: Thrust reduction)
template <class T>
__global__ void __launch_bounds__(1024)
    pick_kernel(const T* __restrict__ x, T* __restrict__ best, const T* __restrict__ fx, double* __restrict__ fbest,
                int n, int chains) {
    __shared__ double sf[1024];
    __shared__ int si[1024];
    double f = 1e300;
    int id = 0;
    for (int c = threadIdx.x; c < chains; c += 1024)
        if ((double)fx[c] < f) {
            f = fx[c];
            id = c;
        }
    sf[threadIdx.x] = f;
    si[threadIdx.x] = id;
    __syncthreads();
    for (int s = 512; s; s >>= 1) {
        if (threadIdx.x < s && sf[threadIdx.x + s] < sf[threadIdx.x]) {
            sf[threadIdx.x] = sf[threadIdx.x + s];
            si[threadIdx.x] = si[threadIdx.x + s];
        }
        __syncthreads();
    }
    id = si[0];
    for (int i = threadIdx.x; i < n; i += 1024) best[i] = x[(size_t)i * chains + id];
    double v = 0;
    for (int i = threadIdx.x; i < n; i += 1024) v += (double)term(x[(size_t)i * chains + id]);
    double f0 = sf[0];
    v = block_sum(v);
    if (threadIdx.x == 0) {
        fbest[0] = f0;
        fbest[1] = -v / n;
    }
}
static std::string g_tag;
template <class T>
static void run(int n, int chains, bool delta, double budget, int maxlev, bool final_err) {
    const int N = 100;
    const double T0 = 1000, Tmin = .01, rho = .99;
    int levels = 0;
    for (double t = T0; t > Tmin; t *= rho) levels++;
    T *x, *best, *fx;
    double* fb;
    CK(cudaMalloc(&x, (size_t)n * chains * sizeof(T)));
    CK(cudaMalloc(&best, n * sizeof(T)));
    CK(cudaMalloc(&fx, chains * sizeof(T)));
    CK(cudaMalloc(&fb, 16));
    std::vector<T> h(n);
    for (int i = 0; i < n; i++) h[i] = T(-512 + 1024 * ((i * 2654435761u) >> 8) / 16777216.0);
    double hf = 0;
    for (int i = 0; i < n; i++) hf -= (double)h[i] * sin(sqrt(fabs((double)h[i])));
    double f00[2] = {hf / n, hf / n};
    int tb = chains <= 16384 ? 128 : 256;  // 16384 chains: 128 blocks, so that nearly every SM has one
    auto k = delta ? sa_kernel<T, 1> : sa_kernel<T, 0>;
    auto pk = pick_kernel<T>;
    double t = T0;
    int lev = 0;
    auto level = [&] {
        LAUNCH(k, dim3((chains + tb - 1) / tb), tb, x, best, fx, fb, n, chains, N, (T)(1 / t), 1234ull,
               (unsigned long long)lev);
        LAUNCH(pk, dim3(1), 1024, x, best, fx, fb, n, chains);
        t *= rho;
        lev++;
    };
    auto reset = [&] {
        CK(cudaDeviceSynchronize());
        CK(cudaMemcpy(best, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
        CK(cudaMemcpy(fb, f00, 16, cudaMemcpyHostToDevice));
        t = T0;
        lev = 0;
    };
    reset();
    level();
    CK(cudaDeviceSynchronize());
    CKL();  // warm-up, and a first guess of the time
    double a = now_s();
    level();
    level();
    CK(cudaDeviceSynchronize());
    double per = (now_s() - a) / 2;
    int todo = levels;
    bool cut = false;
    if (per * levels > budget) {
        todo = std::max(4, (int)(budget / per));
        cut = true;
    }
    if (maxlev && todo > maxlev) {
        todo = maxlev;
        cut = true;
    }
    reset();
    a = now_s();
    for (int i = 0; i < todo; i++) level();
    CK(cudaDeviceSynchronize());
    double sec = now_s() - a;
    CKL();
    double f;
    CK(cudaMemcpy(&f, fb, 8, cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(h.data(), best, n * sizeof(T), cudaMemcpyDeviceToHost));
    double num = 0, fr = 0;
    for (int i = 0; i < n; i++) {
        num += pow((double)h[i] - 420.968746, 2);
        fr -= (double)h[i] * sin(sqrt(fabs((double)h[i])));
    }
    double rel = sqrt(num) / (420.968746 * sqrt((double)n));
    fr /= n;
    char nb[200];
    snprintf(nb, sizeof nb, "%d of %d levels%s, %d chains", todo, levels, cut ? " (cut)" : "", chains);
    std::string lib_ = (delta ? "cuda_delta" : "cuda_full") + g_tag;
    const char* lib = lib_.c_str();
    double moves = (double)todo * N * chains;
    emit("sa", lib, "schwefel", DT<T>::n(), n, chains, "moves_per_s", moves / sec, "1/s", nb, sec * 1e3);
    emit("sa", lib, "schwefel", DT<T>::n(), n, chains, "time_s", sec * levels / todo, "s",
         cut ? std::string("projected: ") + nb : nb);
    if (final_err && !cut) {
        emit("sa", lib, "schwefel", DT<T>::n(), n, chains, "f_error", fabs(fr + 418.9828872724338), "1",
             "|fa-fr|, recomputed in fp64 on the host");
        emit("sa", lib, "schwefel", DT<T>::n(), n, chains, "x_rel_error", rel, "1", "");
        if (fabs(f - fr) > 1e-2 * fabs(fr))
            emit("sa", lib, "schwefel", DT<T>::n(), n, chains, "self_check_failed", f - fr, "1",
                 "device value differs from host value");
    }
    CK(cudaFree(x));
    CK(cudaFree(best));
    CK(cudaFree(fx));
    CK(cudaFree(fb));
}
int main(int argc, char** argv) {
    init_dev();
    double budget = getenv("SA_SECONDS") ? atof(getenv("SA_SECONDS")) : 8;
    double t0 = now_s(), total = getenv("SA_TOTAL") ? atof(getenv("SA_TOTAL")) : 60;
    if (argc > 1) {
        g_tag = "_fastmath";
        for (int n : {8, 32, 128, 512}) {
            run<float>(n, 16384, false, budget, 0, true);
            run<float>(n, 16384, true, budget, 0, true);
        }
        return 0;
    }
    for (int n : {8, 16, 32, 64, 128, 256, 512}) {
        run<float>(n, 16384, false, budget, 0, true);
        run<float>(n, 16384, true, budget, 0, true);
    }
    for (int n : {8, 16, 32, 64, 128, 256, 512}) {
        if (now_s() - t0 > total) break;
        run<double>(n, 16384, false, budget, 0, true);
        run<double>(n, 16384, true, budget, 0, true);
    }
    // full chip: 2^19 chains, a few levels, throughput only
    for (int n : {16, 32, 512}) {
        if (now_s() - t0 > total) break;
        run<float>(n, 1 << 19, false, 1, 20, false);
        run<float>(n, 1 << 19, true, 1, 50, false);
        run<double>(n, 1 << 19, false, 1, 20, false);
        run<double>(n, 1 << 19, true, 1, 50, false);
    }
}
