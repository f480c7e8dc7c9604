#!/usr/bin/env bash
# smooth.sh CLOPT [SECONDS] [NAMES…]: seven smooth objectives by clopt and by JAX on this GPU, and a table of both.
# About 8 minutes for 15 seconds each and all names. It needs numpy, and JAX and optax for the peer, without which the
# columns of clopt stand alone.
set -uo pipefail
clopt=$(realpath "$1") here=$(cd "$(dirname "$0")" && pwd) secs=${2:-15}
shift 2 2>/dev/null || shift
names=${*:-minsurf rosen mf net swingup atoms logistic}
out=${OUT:-$(mktemp -d)} dir=$(mktemp -d)
export HOME=$dir PYTHONUNBUFFERED=1 CLOPT_CACHE=$dir/binaries JAX_COMPILATION_CACHE_DIR=$dir/jax
mkdir -p "$dir/jax"
"$clopt" devices | head -4
time python3 "$here/smooth.py" "$dir/data" || exit 1
cd "$dir/data" || exit 1
for name in $names; do
    timeout 150 "$clopt" run "$name.cl" -d gpu --time 1s --seed 1 --checkpoint off -o "$dir/warm" --name "$name" >"$out/$name.warm" 2>&1
    echo "$name warm-up: $(grep -o 'ready  *after [0-9.]* [a-z]*' "$out/$name.warm")"
    t0=$(date +%s.%N)
    timeout 150 "$clopt" run "$name.cl" -d gpu --time "${secs}s" --seed 1 --checkpoint off -o "$dir/runs" --name "$name" -v >"$out/$name.log" 2>&1
    echo "$name exit $? in $(date +%s.%N | awk -v t="$t0" '{ printf "%.1f", $1 - t }') s: $(grep 'searches\|best  \|speed' "$out/$name.log" | tr -s ' ' | tr '\n' ';')"
    cp "$dir/runs/$name/trace.jsonl" "$out/$name.jsonl" 2>/dev/null
done
if python3 -c 'import optax' 2>/dev/null; then
    timeout $((30 * $(echo $names | wc -w))) python3 "$here/smooth_jax.py" "$dir/data" "$secs" $names >"$out/jax.jsonl" 2>"$out/jax.err" || tail -3 "$out/jax.err"
else
    echo "no optax here: JAX is left out"
fi
python3 - "$dir/runs" "$out" "$secs" $names <<'P'
import sys, json, os, re
runs, out, secs, names = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4:]
jax = {}
if os.path.exists(out + "/jax.jsonl"):
    for l in open(out + "/jax.jsonl"):
        r = json.loads(l); jax[r["name"]] = r
def seconds(t):
    m = re.search(r"ready\s+after ([0-9.]+) (ms|s|min)", t)
    return float(m[1])*{"ms": 1e-3, "s": 1, "min": 60}[m[2]] if m else float("nan")
def at(tr, t): return min([v for s, v in tr if s <= t], default=float("nan"))
def when(tr, f): return next((s for s, v in tr if v <= f + 1e-9*abs(f)), float("inf"))
print("| objective | clopt start | clopt: 1, 5, %g s of its clock | JAX compile | JAX: 1, 5, %g s | clopt at JAX's last value after | JAX at clopt's last value after |" % (secs, secs))
print("|---|---|---|---|---|---|---|")
for n in names:
    log = open(f"{out}/{n}.log").read(); st = seconds(log); tr = []
    try:
        for l in open(f"{runs}/{n}/trace.jsonl"):
            r = json.loads(l)
            if "best" in r and "t" in r and r["best"] is not None: tr.append((r["t"], r["best"]))
    except OSError: pass
    j = jax.get(n); jt = j["trace"] if j else []
    g = lambda x: "%.10g" % x
    cf, jf = at(tr, 1e9), at(jt, 1e9)
    print(f"| {n} | {st:.1f} s | {g(at(tr, 1))}, {g(at(tr, 5))}, {g(cf)} | {j['compile'] if j else '-'} s | {g(at(jt, 1))}, {g(at(jt, 5))}, {g(jf)} | {when(tr, jf):.2f} s + start | {when(jt, cf):.2f} s + compile |")
P
