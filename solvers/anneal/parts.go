package anneal

import (
	"cmp"
	"context"
)

// A segment of a group of chains may take minutes, if an evaluation takes long. It is then made in parts: some steps of
// all chains of a group, or a step of some of its chains. The first segment of a device is, too, since nobody knows yet
// how long it takes. The results are the same.

// saPart is a segment that has begun in the groups [first, end): the first chains, the lanes, have made so many steps.
type saPart struct {
	segment, first, end int
	lanes, steps        int
}

// fewestLanes is the smallest number of chains of a group that a launch has.
const fewestLanes = 4

// quick reports whether a segment of a group fits into a launch.
func (o *saDevice) quick(r *saRun, i int) bool {
	g := r.chains.Devices()
	return g.Pace(&o.part, g.All()[i]).Fit() >= chainGroup*r.sch.segment
}

// parts makes a segment of all groups of a device in parts.
func (o *saDevice) parts(ctx context.Context, r *saRun, i, segment int) error {
	steps, epoch := int(r.sch.made(segment+1)-r.sch.made(segment)), r.sch.epoch()
	last := epoch > 0 && (segment+1)%epoch == 0
	units := max(1, r.chains.Devices().All()[i].Info().ComputeUnits)
	for first := 0; first < o.groups; {
		p := saPart{segment: segment, first: first, end: min(first+units, o.groups)}
		for step := 0; step < steps; step = p.steps {
			fit := o.part.Fit()
			p.steps = step + 1
			if fit > chainGroup {
				p.steps = min(step+fit/chainGroup, steps)
			}
			for lane := 0; lane < chainGroup; lane = p.lanes {
				p.lanes = min(lane+max(fit, fewestLanes), chainGroup)
				record := p.steps == steps && p.lanes == chainGroup
				if err := o.launchPart(r, i, segment, segment+1, last && record, p, lane, step, record); err != nil {
					return err
				}
				o.open = p
				if step > 0 { // the other chains have made the step before
					o.open.lanes = chainGroup
				}
				if record {
					o.open = saPart{}
				}
				moves := (p.lanes - lane) * (p.steps - step)
				o.made += int64(p.end-first) * int64(moves)
				if err := cmp.Or(o.part.Launched(ctx, float64(moves)), o.part.Wait(ctx)); err != nil {
					return err
				}
				fit = o.part.Fit()
			}
		}
		first = p.end
	}
	return nil
}

// close ends a segment that has begun, so that the best points of its groups are noted.
func (o *saDevice) close(r *saRun, i int) error {
	p := o.open
	o.open = (saPart{})
	if p.end == 0 {
		return nil
	}
	return o.launchPart(r, i, p.segment, p.segment+1, false, p, p.lanes, p.steps, true)
}
