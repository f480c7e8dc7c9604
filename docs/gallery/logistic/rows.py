"""rows.py ROWS WEIGHTS writes rows.mtx and labels.csv, observations of a logistic model, and reads.txt. WEIGHTS is a
multiple of 1000.
rows.py BEST draws the weights of BEST against those of the model, as logistic.svg, and prints the value and a lower
bound of all values."""
import sys
import numpy as np

ENTRIES = 10  # of each row


def observations(rows, weights):
    """The columns and values of the rows, the weights of the model, and the labels -1 and 1. Some columns are
    frequent and others are rare, as words are: column c is drawn in proportion to c^(-2/3)."""
    r = np.random.default_rng(1)
    col = (weights * ((np.arange(ENTRIES) + r.random((rows, ENTRIES))) / ENTRIES) ** 3).astype(int)
    val = r.normal(size=(rows, ENTRIES))
    model = r.normal(size=weights)
    odds = np.exp((val * model[col]).sum(1))
    return col, val, model, np.where(r.random(rows) < odds / (1 + odds), 1, -1)


def value_and_bound(x, col, val, label):
    """The value of logistic.cl, and value - |gradient|^2/2: the curvature is at least 1 in every direction."""
    m = label * (val * x[col]).sum(1)
    value = np.logaddexp(0, -m).sum() + 0.5 * (x**2).sum()
    slope = (-label * np.exp(-np.logaddexp(0, m)))[:, None] * val
    gradient = x + np.bincount(col.ravel(), slope.ravel(), len(x))
    return value, value - 0.5 * (gradient**2).sum()


def draw(model, best, often):
    """A point for each of the weights that are in at least 50 rows."""
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="360" height="360" viewBox="-3.3 -3.3 6.6 6.6" '
           'font-family="\'Liberation Sans\', Arial, Helvetica, sans-serif" font-size="0.22">',
           "<style>.paper{fill:#fff}.ink{fill:#222}@media (prefers-color-scheme:dark){.paper{fill:#16181c}"
           ".ink{fill:#ddd}}</style>",
           '<rect class="paper" x="-3.3" y="-3.3" width="6.6" height="6.6"/>',
           '<path stroke="#888" stroke-width="0.02" d="M-3,0H3M0,-3V3M-3,3L3,-3"/>',
           '<text class="ink" x="3" y="0.55" text-anchor="end">model</text>',
           '<text class="ink" x="0.15" y="-2.75">found</text>']
    for at in (-3, -2, -1, 1, 2, 3):
        out.append('<text class="ink" x="%d" y="0.28" text-anchor="middle" font-size="0.18">%d</text>' % (at, at))
        out.append('<text class="ink" x="-0.08" y="%.2f" text-anchor="end" font-size="0.18">%d</text>' % (0.06 - at, at))
        out.append('<path stroke="#888" stroke-width="0.02" d="M%d,-0.06V0.06M-0.06,%dH0.06"/>' % (at, -at))
    for x, y in zip(model[often], best[often]):
        out.append('<circle cx="%.2f" cy="%.2f" r="0.035" fill="#0072b2"/>' % (x, -y))
    open("logistic.svg", "w").write("\n".join(out) + "\n</svg>\n")


if len(sys.argv) == 3:
    rows, weights = int(sys.argv[1]), int(sys.argv[2])
    if weights % 1000:
        sys.exit("%d weights: take a multiple of 1000, so that a row has no column twice" % weights)
    col, val, _, label = observations(rows, weights)
    with open("rows.mtx", "w") as f:
        print("%%MatrixMarket matrix coordinate real general", file=f)
        print(rows, weights, rows * ENTRIES, file=f)
        for i in range(rows):
            for c, v in zip(col[i], val[i]):
                print(i + 1, c + 1, v, file=f)
    np.savetxt("labels.csv", label, "%d")
    with open("reads.txt", "w") as f:
        for line in col:
            print(*line, file=f)
        for c in range(weights):
            print(c, file=f)
else:
    best, rows = np.load(sys.argv[1]).ravel(), sum(1 for _ in open("labels.csv"))
    col, val, model, label = observations(rows, len(best))
    print("value %.6f, no value is below %.6f" % value_and_bound(best, col, val, label))
    draw(model, best, np.bincount(col.ravel(), minlength=len(best)) >= 50)
