// tabu_qubo FILE SECONDS: tabu search by single flips with many starts, dense, for a QUBO in the format of qbsolv. It
// prints the best value with its offset, when it was found, and the point.
//   gcc -O2 -o tabu_qubo tabu_qubo.c -lm
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
static double now() {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
int main(int c, char** v) {
    FILE* f = fopen(v[1], "r");
    double T = atof(v[2]);
    char l[512];
    int n = 0;
    double off = 0;
    double* M = 0;
    while (fgets(l, 512, f)) {
        if (l[0] == 'c') {
            sscanf(l, "c offset : %lf", &off);
            continue;
        }
        if (l[0] == 'p') {
            int m, d;
            sscanf(l, "p qubo 0 %d %d %d", &n, &d, &m);
            M = calloc((long)n * n, 8);
            continue;
        }
        int i, j;
        double w;
        if (sscanf(l, "%d %d %lf", &i, &j, &w) == 3) {
            M[(long)i * n + j] += w;
            if (i != j) M[(long)j * n + i] += w;
        }
    }
    double t0 = now(), best = 1e300, tb = 0;
    char *x = calloc(n, 1), *bx = calloc(n, 1);
    double* h = malloc(8l * n);
    long* tl = malloc(8l * n);
    int ten = n / 4 < 20 ? n / 4 : 20;
    long starts = 0;
    while (now() - t0 < T) {
        if (starts == 0 || rn() % 4 == 0)
            for (int i = 0; i < n; i++) x[i] = rn() & 1;
        else {
            memcpy(x, bx, n);
            for (int k = 0; k < n / 5 + 1; k++) x[rn() % n] ^= 1;
        }
        double E = 0;
        for (int i = 0; i < n; i++) {
            h[i] = M[(long)i * n + i];
            for (int j = 0; j < n; j++)
                if (j != i && x[j]) h[i] += M[(long)i * n + j];
        }
        for (int i = 0; i < n; i++)
            if (x[i]) E += (h[i] + M[(long)i * n + i]) / 2;
        memset(tl, 0, 8l * n);
        double lb = E;
        long last = 0;
        for (long it = 1; it - last < 20l * n + 500; it++) {
            int b = -1;
            double bd = 1e300;
            int cnt = 0;
            for (int i = 0; i < n; i++) {
                double d = x[i] ? -h[i] : h[i];
                if (tl[i] > it && E + d >= best - 1e-9) continue;
                if (d < bd) {
                    bd = d;
                    b = i;
                    cnt = 1;
                } else if (d == bd && rn() % ++cnt == 0)
                    b = i;
            }
            if (b < 0) break;
            x[b] ^= 1;
            E += bd;
            double g = x[b] ? 1 : -1;
            double* r = M + (long)b * n;
            for (int j = 0; j < n; j++)
                if (j != b) h[j] += g * r[j];
            tl[b] = it + ten + rn() % 10;
            if (E < lb - 1e-9) {
                lb = E;
                last = it;
            }
            if (E < best - 1e-9) {
                best = E;
                tb = now() - t0;
                memcpy(bx, x, n);
            }
            if ((it & 255) == 0 && now() - t0 > T) break;
        }
        starts++;
    }
    printf("best %.10g at %.2fs, starts %ld  ", best + off, tb, starts);
    for (int i = 0; i < n && n < 80; i++) putchar('0' + bx[i]);
    puts("");
}
