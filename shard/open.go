package shard

import (
	"fmt"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
)

// Select returns the devices that a selector names, as cl.Select reads it, in order of index. A device that cannot
// compute in prec is an error: the default choice never lowers the precision. The error is a *cl.NoDeviceError or a
// *cl.SelectionError.
func Select(selector string, prec problems.Precision) ([]cl.Info, error) {
	all, err := cl.Discover()
	if err != nil {
		return nil, err
	}
	chosen, err := cl.Select(all, selector)
	if err != nil {
		return nil, err
	}
	for _, info := range chosen {
		if prec == problems.FP64 && !info.FP64 {
			return nil, &cl.SelectionError{Selector: selector, Table: cl.Table(all),
				Reason: fmt.Sprintf("%s has no fp64. Use precision fp32, or choose other devices", info)}
		}
	}
	return chosen, nil
}

// Open opens the devices that Select returned and joins them. The caller closes them.
func Open(chosen []cl.Info, opt Options) (_ *Devices, err error) {
	var devices []*cl.Device
	defer func() {
		if err != nil {
			for _, d := range devices {
				d.Close()
			}
		}
	}()
	for _, info := range chosen {
		d, err := cl.Open(info)
		if err != nil {
			return nil, err
		}
		devices = append(devices, d)
	}
	return NewDevices(devices, opt)
}
