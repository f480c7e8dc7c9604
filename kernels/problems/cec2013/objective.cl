// cec2013/objective.cl: the objective of a CEC'2013 function from its accumulators, for methods that decide on the
// device. It is the sum. With two accumulators it is the function of Ackley over all variables, from the sums of y²
// and sin²(πy); CEC_DIM is then the number of variables.

static real objective(const sum *acc, data d)
{
#if ACCS == 2
    const real m = R(1.0) / CEC_DIM;
    return R(-20.0) * expm1(R(-0.2) * sqrt(sum_real(acc[0]) * m))
         - R(2.71828182845904523536) * expm1(R(-2.0) * m * sum_real(acc[1]));
#else
    return sum_real(acc[0]);
#endif
}
