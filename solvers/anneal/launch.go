package anneal

// chainsOf is the chains of a device and their schedule: the struct anneal_chains of the kernels.
type chainsOf struct {
	Width        uint64 // columns
	First        uint32 // number of the first chain
	Groups       uint32 // of a run
	Chains       uint32 // of a run; later columns of its groups do nothing
	Steps        uint32 // of a level
	SegmentSteps uint32 // of a segment, at most
	Segments     uint32 // of a level
}

// chainsLaunch is what a launch does with chains: the struct anneal_launch of the kernels.
type chainsLaunch struct {
	Ins                uint32 // points of in_f and in_x, of which chains choose when they exchange
	Group0             uint32 // first group, from that of the device on
	Segment0, Segment1 uint32 // from the first of these segments to before the other one
	Exchange           uint32 // segments after which the chains exchange; 0: never
	Refresh            uint32 // levels after which a chain evaluates its point in full; 0: never
	Last               uint32 // 1: the launch ends an epoch, and out_x is written
	Lane0, Lane1       uint32 // chains of each group
	Step0, Step1       uint32 // steps of the segment
	Record             uint32 // 1: the segment has come to its end
}

// colourOf is variables of a colour: the struct sweep_colour of the kernels.
type colourOf struct {
	Off, Per uint32 // the colour, as in the banner of kernels/solvers/anneal/sweep.cl
	From, To uint32 // its variables in this range, or with lists these places in the order
}

// someOf is some variables of a colour in each tile: the struct sweep_some of the kernels.
type someOf struct {
	Off, Per     uint32 // the colour, as in the banner of kernels/solvers/anneal/sweep.cl
	Tile0        uint32 // first tile of the launch
	Every, Which uint32 // variables which, which + every, …
	Trial        uint32 // 1: nothing is accepted
}
