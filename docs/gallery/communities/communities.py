"""communities.py writes novel.rud, a graph whose cuts are divisions of the characters in novel.txt:
cut / (2 m^2) is the modularity of a division, where m is the sum of all numbers in novel.txt.
communities.py BEST.SOL draws the division as communities.svg and prints its modularity."""
import sys
import numpy as np

edges = [(a, b, int(w)) for a, b, w in map(str.split, open("novel.txt"))]
names = list(dict.fromkeys(name for a, b, _ in edges for name in (a, b)))
together = np.zeros((len(names), len(names)), int)  # the chapters in which two characters appear together
for a, b, w in edges:
    together[names.index(a), names.index(b)] = together[names.index(b), names.index(a)] = w
degree, twice_m = together.sum(0), together.sum()


def layout():
    """Positions whose distances are near those in the graph, by the majorization of stress."""
    far = np.where(together > 0, 1.0, np.inf)
    np.fill_diagonal(far, 0)
    for via in range(len(far)):
        far = np.minimum(far, far[:, [via]] + far[[via], :])
    far **= 1.2
    np.fill_diagonal(far, 1)
    weight = far**-2.0 - np.eye(len(far))
    inverse = np.linalg.pinv(np.diag(weight.sum(0)) - weight)
    p = np.random.default_rng(5).normal(size=(len(far), 2))
    for _ in range(500):
        now = np.linalg.norm(p[:, None] - p[None], axis=2) + np.eye(len(far))
        pull = weight * far / now
        p = inverse @ (np.diag(pull.sum(0)) - pull) @ p
    return p


def draw(side, file):
    p = layout()
    p = (p - p.min(0)) / (p.max(0) - p.min(0)) * (400, 400) + (20, 25)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="440" height="450" viewBox="0 0 440 450" '
           'font-family="\'Liberation Sans\', Arial, Helvetica, sans-serif" font-size="13">',
           "<style>.paper{fill:#fff}.ink{fill:#222;stroke:#fff}.line{stroke:#888}"
           "@media (prefers-color-scheme:dark){.paper{fill:#16181c}.ink{fill:#ddd;stroke:#16181c}}</style>",
           '<rect class="paper" width="100%" height="100%"/>']
    for i, j in zip(*np.nonzero(np.triu(together))):
        dash = "" if side[i] == side[j] else ' stroke-dasharray="3 3"'
        out.append('<path class="line" opacity="0.5" stroke-width="%.1f"%s d="M%.0f,%.0fL%.0f,%.0f"/>'
                   % (0.5 * together[i, j] ** 0.5, dash, *p[i], *p[j]))
    for i, (x, y) in enumerate(p):
        out.append('<circle cx="%.0f" cy="%.0f" r="%.1f" fill="%s"/>'
                   % (x, y, 2.5 + 0.6 * degree[i] ** 0.5, ("#0072b2", "#e69f00")[side[i]]))
    for name in "Valjean", "Cosette", "Marius", "Javert", "Fantine", "Tholomyes", "Courfeyrac", "Gavroche", "Myriel":
        i = names.index(name)
        away = 5 + 0.6 * degree[i] ** 0.5
        y = p[i, 1] + (away + 9 if name in ("Javert", "Gavroche") else -away)  # others stand above these two
        out.append('<text class="ink" x="%.0f" y="%.0f" text-anchor="middle" paint-order="stroke" '
                   'stroke-width="3">%s</text>' % (p[i, 0], y, name))
    open(file, "w").write("\n".join(out) + "\n</svg>\n")


if len(sys.argv) == 1:
    with open("novel.rud", "w") as f:
        for i, name in enumerate(names):
            print("# clopt: name", i, name, file=f)
        print(len(names), len(names) * (len(names) - 1) // 2, file=f)
        for i, j in zip(*np.triu_indices(len(names), 1)):
            print(i + 1, j + 1, degree[i] * degree[j] - twice_m * together[i, j], file=f)
else:
    chosen = dict(line.split() for line in open(sys.argv[1]))
    side = np.array([int(chosen[name]) for name in names])
    within = np.equal.outer(side, side)
    print("modularity %.6f" % ((together - np.outer(degree, degree) / twice_m)[within].sum() / twice_m))
    draw(side ^ side[names.index("Valjean")], "communities.svg")  # he is blue, whichever group is called 0
