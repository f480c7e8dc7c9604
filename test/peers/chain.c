// chain N SECONDS: one chain of annealing on one core, in plain C: normalized Schwefel function of N variables, T0=1000,
// Tmin=0.01, rho=0.99, 100 steps a temperature, begun anew until the seconds are over. A step redraws one coordinate and
// computes the one term that changes. It prints steps per second and the best value.
//   gcc -O2 -o chain chain.c -lm
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// xorshift128+
static uint64_t state[2] = {88172645463325252ull, 1234567};
static inline uint64_t draw(void) {
    uint64_t a = state[0], b = state[1];
    state[0] = b;
    a ^= a << 23;
    state[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
    return state[1] + b;
}
static inline double uniform(void) { return (draw() >> 11) * 0x1p-53; }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static inline double term(double x) { return -x * sin(sqrt(fabs(x))); }

int main(int argc, char** argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0;
    double seconds = argc > 2 ? atof(argv[2]) : 2;
    if (n < 1) {
        fprintf(stderr, "usage: chain N SECONDS\n");
        return 2;
    }
    double* x = malloc(n * sizeof *x);
    double begin = now(), best = INFINITY;
    long steps = 0;
    while (now() - begin < seconds) {
        double f = 0;
        for (int i = 0; i < n; i++) {
            x[i] = -512 + 1024 * uniform();
            f += term(x[i]) / n;
        }
        for (double t = 1000; t > 0.01 && now() - begin < seconds; t *= 0.99)
            for (int k = 0; k < 100; k++, steps++) {
                int i = (int)(uniform() * n);
                double to = -512 + 1024 * uniform(), d = (term(to) - term(x[i])) / n;
                if (d <= 0 || uniform() < exp(-d / t)) {
                    x[i] = to;
                    f += d;
                    if (f < best) best = f;
                }
            }
    }
    printf("n %d: %.3g steps a second, best %.9g\n", n, steps / (now() - begin), best);
}
