// Evaluation throughput of CEC'2013 F1 F2 F3 F4 F12 in plain CUDA C++ (what an expert writes in a day).
//  cuda_naive: the official C++ formulas moved into a kernel (pow for the weights and for Tasy).
//  cuda_opt:   tables, Tasy through the logarithm that Tosz already has (no pow), cospi, boxes batched for F4.
// x is row-major [P][D]; D = boxes of 1000. Result: P doubles.
#include "peer.cuh"
static const int BS = 256;

template <class T, int FN, bool OPT>
__global__ void __launch_bounds__(BS) sep_kernel(const T* __restrict__ x, const T* __restrict__ xo,
                                                 const T* __restrict__ tab, uint32_t D, double* __restrict__ part) {
    const T* xp = x + (size_t)blockIdx.y * D;
    T s0 = 0, s1 = 0;
    for (uint32_t i = blockIdx.x * BS + threadIdx.x; i < D; i += gridDim.x * BS) {
        uint32_t r = i % 1000u;
        T z = xp[i] - xo[r];
        if (FN == 12) {
            if (r != 999u) {
                T b = xp[i + 1] - xo[r + 1];
                T t = z * z - b;
                s0 += T(100) * t * t;
                t = z - T(1);
                s0 += t * t;
            }
        } else if (OPT) {
            if (z != T(0)) {
                T L = osz_log(z);
                if (FN == 1)
                    s0 += tab[r] * m_exp(L + L);
                else {
                    T y = m_exp(L), k = tab[r];  // k = 0.2 * r/999
                    if (z > T(0)) y = m_exp(L * (T(1) + k * m_sqrt(y)));
                    y *= tab[1000 + r];  // Lambda^10
                    s0 += y * y;
                    s1 += m_cospi(y + y);
                }
            } else if (FN != 1)
                s1 += T(1);
        } else {
            T y = osz_naive(z);
            if (FN == 1)
                s0 += m_pow(T(1e6), T(r) / T(999)) * y * y;
            else {
                if (y > T(0)) y = m_pow(y, T(1) + T(0.2) * T(r) / T(999) * m_sqrt(y));
                y = y * m_pow(T(10), T(0.5) * T(r) / T(999));
                s0 += y * y;
                s1 += m_cos(T(6.283185307179586) * y);
            }
        }
    }
    double a = block_sum((double)s0), b = (FN == 2 || FN == 3) ? block_sum((double)s1) : 0.0;
    if (threadIdx.x == 0) {
        size_t o = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
        if (FN == 3) {
            part[2 * o] = a;
            part[2 * o + 1] = b;
        } else
            part[o] = FN == 2 ? a - 10.0 * b : a;
    }
}
template <int FN>
__global__ void __launch_bounds__(BS)
    fin_kernel(const double* __restrict__ part, uint32_t n, double D, double* __restrict__ out) {
    double a = 0, b = 0;
    for (uint32_t i = threadIdx.x; i < n; i += BS) {
        size_t o = (size_t)blockIdx.x * n + i;
        if (FN == 3) {
            a += part[2 * o];
            b += part[2 * o + 1];
        } else
            a += part[o];
    }
    a = block_sum(a);
    if (FN == 3) b = block_sum(b);
    if (threadIdx.x == 0)
        out[blockIdx.x] = FN == 3   ? -20.0 * exp(-0.2 * sqrt(a / D)) - exp(b / D) + 20.0 + 2.718281828459045
                          : FN == 2 ? a + 10.0 * D
                                    : a;
}

// ---- F4. Boxes q = p*nbox + box are contiguous: x + 1000 q.
template <class T>
__global__ void __launch_bounds__(BS)
    f4_naive(const T* __restrict__ x, const T* __restrict__ xo, const int* __restrict__ perm, const T* __restrict__ w7,
             const T* __restrict__ R25, const T* __restrict__ R50, const T* __restrict__ R100,
             double* __restrict__ part) {
    __shared__ T z[300];
    const int S[7] = {50, 25, 25, 100, 50, 25, 25};
    const T* xp = x + (size_t)blockIdx.x * 1000;
    for (int e = threadIdx.x; e < 300; e += BS) {
        int i = perm[e];
        z[e] = xp[i] - xo[i];
    }
    __syncthreads();
    T acc = 0;
    for (int e = threadIdx.x; e < 1000; e += BS) {
        T y;
        T wt;
        if (e < 300) {
            int c = 0, k = 0;
            while (e >= c + S[k]) c += S[k++];
            int s = S[k], r = e - c;
            const T* R = s == 25 ? R25 : s == 50 ? R50 : R100;
            y = 0;
            for (int j = 0; j < s; j++) y += R[r * s + j] * z[c + j];
            wt = w7[k] * m_pow(T(1e6), T(r) / T(s - 1));
        } else {
            int i = perm[e];
            y = xp[i] - xo[i];
            wt = m_pow(T(1e6), T(e - 300) / T(699));
        }
        y = osz_naive(y);
        acc += wt * y * y;
    }
    double a = block_sum((double)acc);
    if (threadIdx.x == 0) part[blockIdx.x] = a;
}
// NB boxes a block; rotation: a thread owns a row (matrices transposed: coalesced) and NB accumulators;
// then one warp a box for the transcendental part. sep: the 700 separable variables in index order.
template <class T>
struct __align__(16) V4 {
    T a, b, c, d;
};
template <class T>
__global__ void __launch_bounds__(BS)
    f4_opt(const T* __restrict__ x, const T* __restrict__ xo, const int* __restrict__ perm, const int* __restrict__ sep,
           const T* __restrict__ W, const T* __restrict__ R25t, const T* __restrict__ R50t, const T* __restrict__ R100t,
           uint32_t nq, double* __restrict__ part) {
    const int NB = 8;
    __shared__ __align__(16) T zs[300][NB];
    __shared__ T ys[NB][304];
    uint32_t q0 = blockIdx.x * NB;
    for (int e = threadIdx.x; e < 300 * NB; e += BS) {
        int b = e / 300, k = e - b * 300, i = perm[k];
        zs[k][b] = q0 + b < nq ? x[(size_t)(q0 + b) * 1000 + i] - xo[i] : T(1);
    }
    __syncthreads();
    for (int it = threadIdx.x; it < 300;
         it = it < 256 && it >= 212 ? it + 44 : 300) {  // 44 threads with short rows take a second
        // item order: the 100 rows of R100 first, then 2x50, then 4x25
        int s, c, r;
        const T* R;
        if (it < 100) {
            s = 100;
            c = 100;
            r = it;
            R = R100t;
        } else if (it < 200) {
            int g = (it - 100) / 50;
            s = 50;
            c = g ? 200 : 0;
            r = (it - 100) - g * 50;
            R = R50t;
        } else {
            int g = (it - 200) / 25;
            s = 25;
            r = (it - 200) - g * 25;
            c = g == 0 ? 50 : g == 1 ? 75 : g == 2 ? 250 : 275;
            R = R25t;
        }
        T a[NB];
        for (int b = 0; b < NB; b++) a[b] = 0;
        for (int j = 0; j < s; j++) {
            T rv = R[j * s + r];
            const V4<T>* zp = reinterpret_cast<const V4<T>*>(&zs[c + j][0]);
            V4<T> u = zp[0], v = zp[1];
            a[0] += rv * u.a;
            a[1] += rv * u.b;
            a[2] += rv * u.c;
            a[3] += rv * u.d;
            a[4] += rv * v.a;
            a[5] += rv * v.b;
            a[6] += rv * v.c;
            a[7] += rv * v.d;
        }
        for (int b = 0; b < NB; b++) ys[b][c + r] = a[b];
    }
    __syncthreads();
    int wq = threadIdx.x >> 5, ln = threadIdx.x & 31;
    if (q0 + wq < nq) {
        const T* xp = x + (size_t)(q0 + wq) * 1000;
        T acc = 0;
        for (int e = ln; e < 1000; e += 32) {
            T z;
            if (e < 300)
                z = ys[wq][e];
            else {
                int i = sep[e - 300];
                z = xp[i] - xo[i];
            }
            if (z != T(0)) {
                T L = osz_log(z);
                acc += W[e] * m_exp(L + L);
            }
        }
        double v = acc;
        for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
        if (ln == 0) part[q0 + wq] = v;
    }
}

template <class T>
struct Eval {
    T *xo[5], *tab1, *tab2, *w7, *W4, *R25, *R50, *R100, *R25t, *R50t, *R100t;
    int *perm, *sep;
    double *part, *out;
    size_t part_n;
    Eval(const Cec& c, size_t maxq) {
        for (int f = 0; f < 5; f++) xo[f] = dev_copy<T>(c.xopt[f]);
        std::vector<double> a(1000), b(2000), W(1000);
        std::vector<int> p(1000), sp(700);
        for (int i = 0; i < 1000; i++) {
            a[i] = pow(1e6, i / 999.0);
            b[i] = 0.2 * i / 999.0;
            b[1000 + i] = pow(10.0, 0.5 * i / 999.0);
            p[i] = (int)c.perm[i];
        }
        int S[7] = {50, 25, 25, 100, 50, 25, 25}, o = 0;
        for (int k = 0; k < 7; k++)
            for (int r = 0; r < S[k]; r++) W[o++] = c.w[k] * pow(1e6, r / (S[k] - 1.0));
        std::vector<std::pair<int, double>> q;
        for (int r = 0; r < 700; r++) q.push_back({p[300 + r], pow(1e6, r / 699.0)});
        std::sort(q.begin(), q.end());
        for (int r = 0; r < 700; r++) {
            sp[r] = q[r].first;
            W[300 + r] = q[r].second;
        }
        auto tr = [](const std::vector<double>& m, int n) {
            std::vector<double> t(n * n);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) t[j * n + i] = m[i * n + j];
            return t;
        };
        tab1 = dev_copy<T>(a);
        tab2 = dev_copy<T>(b);
        w7 = dev_copy<T>(c.w);
        W4 = dev_copy<T>(W);
        R25 = dev_copy<T>(c.R25);
        R50 = dev_copy<T>(c.R50);
        R100 = dev_copy<T>(c.R100);
        R25t = dev_copy<T>(tr(c.R25, 25));
        R50t = dev_copy<T>(tr(c.R50, 50));
        R100t = dev_copy<T>(tr(c.R100, 100));
        perm = dev_copy_i(p);
        sep = dev_copy_i(sp);
        part_n = std::max<size_t>(maxq, 1 << 20);
        CK(cudaMalloc(&part, part_n * 8));
        CK(cudaMalloc(&out, 1024 * 8));
    }
    template <int FN, bool OPT>
    void sep_run(const T* x, int f, size_t D, size_t P) {
        unsigned gx = (unsigned)std::min<size_t>((D + BS * 4 - 1) / (BS * 4), std::max<size_t>(4224 / P, 132));
        if (D <= 8192) gx = (unsigned)((D + BS - 1) / BS);
        dim3 g(gx, (unsigned)P);
        auto k = sep_kernel<T, FN, OPT>;
        LAUNCH(k, g, BS, x, xo[f], FN == 1 ? tab1 : tab2, (uint32_t)D, part);
        auto k2 = fin_kernel<FN>;
        LAUNCH(k2, dim3((unsigned)P), BS, part, gx, (double)D, out);
    }
    void run(int f, bool opt, const T* x, size_t D, size_t P) {
        uint32_t nq = (uint32_t)(P * D / 1000);
        if (f == 0)
            opt ? sep_run<1, true>(x, f, D, P) : sep_run<1, false>(x, f, D, P);
        else if (f == 1)
            opt ? sep_run<2, true>(x, f, D, P) : sep_run<2, false>(x, f, D, P);
        else if (f == 2)
            opt ? sep_run<3, true>(x, f, D, P) : sep_run<3, false>(x, f, D, P);
        else if (f == 4)
            sep_run<12, true>(x, f, D, P);
        else {
            if (opt) {
                auto k = f4_opt<T>;
                LAUNCH(k, dim3((nq + 7) / 8), BS, x, xo[3], perm, sep, W4, R25t, R50t, R100t, nq, part);
            } else {
                auto k = f4_naive<T>;
                LAUNCH(k, dim3(nq), BS, x, xo[3], perm, w7, R25, R50, R100, part);
            }
            auto k2 = fin_kernel<4>;
            LAUNCH(k2, dim3((unsigned)P), BS, part, nq / (uint32_t)P, (double)D, out);
        }
    }
};
template <class T>
__global__ void fill_kernel(T* x, size_t n, T lo, uint32_t seed) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        uint64_t h = (i + seed) * 0x9E3779B97F4A7C15ull;
        h ^= h >> 32;
        h *= 0xD6E8FEB86659FD93ull;
        h ^= h >> 32;
        x[i] = lo + T(-2 * lo) * T((uint32_t)(h >> 40)) / T(16777216);
    }
}
template <class T>
void go(const Cec& c, const char* tag, bool big) {
    size_t maxn = big ? 200000000 : 24000;
    T* x;
    CK(cudaMalloc(&x, maxn * sizeof(T)));
    Eval<T> E(c, maxn / 1000);
    for (int f = 0; f < 5; f++)
        for (int opt = 0; opt < 2; opt++) {
            if (f == 4 && !opt) continue;
            std::string lib = std::string(opt ? "cuda_opt" : "cuda_naive") + tag;
            // validate on the 8 official vectors, and 8 individuals of 3 boxes
            std::vector<T> h(c.tx[f].begin(), c.tx[f].end());
            double o[8], e1 = 0, e3 = 0;
            CK(cudaMemcpy(x, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
            E.run(f, opt, x, 1000, 8);
            CKL();
            CK(cudaMemcpy(o, E.out, 64, cudaMemcpyDeviceToHost));
            for (int k = 0; k < 8; k++) e1 = std::max(e1, fabs(o[k] - c.tv[f][k]) / fabs(c.tv[f][k]));
            if (f != 2) {  // box k of individual p = official vector (p+k)%8, so 8 individuals x 3 boxes
                std::vector<T> h3;
                for (int p = 0; p < 8; p++)
                    for (int k = 0; k < 3; k++)
                        h3.insert(h3.end(), h.begin() + (p + k) % 8 * 1000, h.begin() + (p + k) % 8 * 1000 + 1000);
                T* x3;
                CK(cudaMalloc(&x3, h3.size() * sizeof(T)));
                CK(cudaMemcpy(x3, h3.data(), h3.size() * sizeof(T), cudaMemcpyHostToDevice));
                E.run(f, opt, x3, 3000, 8);
                CKL();
                CK(cudaMemcpy(o, E.out, 64, cudaMemcpyDeviceToHost));
                CK(cudaFree(x3));
                for (int p = 0; p < 8; p++) {
                    double v = c.tv[f][p] + c.tv[f][(p + 1) % 8] + c.tv[f][(p + 2) % 8];
                    e3 = std::max(e3, fabs(o[p] - v) / fabs(v));
                }
            }
            emit("eval", lib.c_str(), FN_NAME[f], DT<T>::n(), 1000, 8, "max_rel_err", std::max(e1, e3), "1",
                 "against the official C++ values");
        }
    if (!big) return;
    struct {
        size_t D, P;
    } cf[] = {{1000, 100}, {1000000, 16}, {100000000, 1}, {100000000, 2}};
    for (int f = 0; f < 5; f++) {
        auto fk = fill_kernel<T>;
        LAUNCH(fk, dim3(2048), 256, x, maxn, (T)FN_LO[f], 7u);
        CKL();
        CK(cudaDeviceSynchronize());
        for (auto& q : cf)
            for (int opt = 0; opt < 2; opt++) {
                if (f == 4 && !opt) continue;
                if (q.P == 2 && !opt) continue;
                std::string lib = std::string(opt ? "cuda_opt" : "cuda_naive") + tag;
                double ms = time_ms([&] { E.run(f, opt, x, q.D, q.P); }, 7, 12);
                emit("eval", lib.c_str(), FN_NAME[f], DT<T>::n(), q.D, q.P, "var_evals_per_s", q.D * q.P / ms * 1e3,
                     "1/s", "", ms);
                if (q.D == 1000 && opt) {
                    ms = graph_ms([&] { E.run(f, opt, x, q.D, q.P); });
                    emit("eval", (lib + "_graph").c_str(), FN_NAME[f], DT<T>::n(), q.D, q.P, "var_evals_per_s",
                         q.D * q.P / ms * 1e3, "1/s", "two kernels replayed from a CUDA graph", ms);
                }
            }
    }
    CK(cudaFree(x));
}
int main(int argc, char** argv) {
    init_dev();
    Cec c;
    std::string m = argc > 1 ? argv[1] : "both";
    const char* tag = argc > 2 ? argv[2] : "";
    bool big = !getenv("PEERS_SMALL");
    if (m != "fp32") go<double>(c, tag, big);
    if (m != "fp64") go<float>(c, tag, big);
}
