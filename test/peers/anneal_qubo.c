// anneal_qubo FILE SECONDS [SWEEPS]: annealing with many starts and a geometric schedule, for a QUBO in the format of
// qbsolv. It prints the best value with its offset, and when it was found.
//   gcc -O2 -o anneal_qubo anneal_qubo.c -lm
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static uint64_t s[2] = {88172645463325252ull, 1234567};
static inline uint64_t rn() {
    uint64_t a = s[0], b = s[1];
    s[0] = b;
    a ^= a << 23;
    s[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
    return s[1] + b;
}
static inline double u() { return (rn() >> 11) * (1.0 / 9007199254740992.0); }
static double now() {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
int main(int c, char** v) {
    FILE* f = fopen(v[1], "r");
    double T = atof(v[2]);
    int sweeps = c > 3 ? atoi(v[3]) : 1000;
    char l[512];
    int n = 0, m = 0, nd;
    double off = 0;
    int *I = 0, *J = 0;
    double* W = 0;
    long k = 0;
    double* a = 0;
    while (fgets(l, 512, f)) {
        if (l[0] == 'c') {
            sscanf(l, "c offset : %lf", &off);
            continue;
        }
        if (l[0] == 'p') {
            sscanf(l, "p qubo 0 %d %d %d", &n, &nd, &m);
            I = malloc(4l * m + 4);
            J = malloc(4l * m + 4);
            W = malloc(8l * m + 8);
            a = calloc(n, 8);
            continue;
        }
        int i, j;
        double w;
        if (sscanf(l, "%d %d %lf", &i, &j, &w) == 3) {
            if (i == j)
                a[i] += w;
            else {
                I[k] = i;
                J[k] = j;
                W[k++] = w;
            }
        }
    }
    long* o = calloc(n + 2, 8);
    for (long e = 0; e < k; e++) {
        o[I[e] + 1]++;
        o[J[e] + 1]++;
    }
    for (int i = 0; i < n; i++) o[i + 1] += o[i];
    long* p = malloc(8l * (n + 1));
    memcpy(p, o, 8l * (n + 1));
    int* nb = malloc(8l * k + 8);
    double* w = malloc(16l * k + 8);
    for (long e = 0; e < k; e++) {
        nb[p[I[e]]] = J[e];
        w[p[I[e]]++] = W[e];
        nb[p[J[e]]] = I[e];
        w[p[J[e]]++] = W[e];
    }
    double mx = 0, mn = 1e300;
    for (int i = 0; i < n; i++) {
        double t = fabs(a[i]);
        for (long e = o[i]; e < o[i + 1]; e++) t += fabs(w[e]);
        if (t > mx) mx = t;
    }
    for (long e = 0; e < k; e++)
        if (W[e] != 0 && fabs(W[e]) < mn) mn = fabs(W[e]);
    for (int i = 0; i < n; i++)
        if (a[i] != 0 && fabs(a[i]) < mn) mn = fabs(a[i]);
    double t0 = now(), best = 1e300, tb = 0;
    char *x = malloc(n), *bx = malloc(n);
    double* h = malloc(8l * n);
    int reads = 0;
    double b0 = log(2) / mx, b1 = log(100) / mn;
    while (now() - t0 < T) {
        double E = 0;
        for (int i = 0; i < n; i++) x[i] = rn() & 1;
        for (int i = 0; i < n; i++) {
            h[i] = a[i];
            for (long e = o[i]; e < o[i + 1]; e++)
                if (x[nb[e]]) h[i] += w[e];
        }
        for (int i = 0; i < n; i++)
            if (x[i]) E += (h[i] + a[i]) / 2;
        for (int q = 0; q < sweeps; q++) {
            double b = b0 * pow(b1 / b0, (double)q / (sweeps - 1));
            for (int i = 0; i < n; i++) {
                double d = x[i] ? -h[i] : h[i];
                if (d <= 0 || u() < exp(-b * d)) {
                    x[i] ^= 1;
                    E += d;
                    double g = x[i] ? 1 : -1;
                    for (long e = o[i]; e < o[i + 1]; e++) h[nb[e]] += g * w[e];
                }
            }
            if ((q & 63) == 0 && now() - t0 > T) break;
        }
        if (E < best - 1e-9) {
            best = E;
            tb = now() - t0;
            memcpy(bx, x, n);
        }
        reads++;
    }
    printf("best %.10g at %.2fs, reads %d\n", best + off, tb, reads);
}
