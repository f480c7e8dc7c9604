package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// reading is what a paper's table has of a problem and a method, by the names
// of quantityOf; a speed-up is "speedup".
type reading struct {
	table, problem, label string
	values                map[string]float64
}

// at is a value of a reading, NaN where there is none, or no reading.
func (r *reading) at(name string) number {
	if r != nil {
		if v, ok := r.values[name]; ok {
			return number(v)
		}
	}
	return number(math.NaN())
}

// last is the latest of the values after some time, and that time.
func (r *reading) last() (seconds, value float64) {
	value = math.NaN()
	for name, v := range r.values {
		if t, ok := secondsIn(name); ok && t > seconds {
			seconds, value = t, v
		}
	}
	return seconds, value
}

// find is the reading of a problem and method in a table, or in all ("*"); nil: none.
func (p *paper) find(table, problem, label string) *reading {
	for i := range p.readings {
		if r := &p.readings[i]; (r.table == table || r.table == "*") && r.label == label && strings.EqualFold(r.problem, problem) {
			return r
		}
	}
	return nil
}

// add reads fields into values, those that are not empty.
func (p *paper) add(r reading, l map[string]string, names map[string]string) error {
	r.values = map[string]float64{}
	for field, name := range names {
		if l[field] == "" {
			continue
		}
		v, err := strconv.ParseFloat(l[field], 64)
		if err != nil {
			return fmt.Errorf("%s: %w", field, err)
		}
		r.values[name] = v
	}
	p.readings = append(p.readings, r)
	return nil
}

// readFerreiro reads the tables of Ferreiro et al. Where a table varies one
// parameter, the label names it. Of Table 10's hybrid the paper prints the time of its local
// minimiser alone; here it includes the annealing before it, as ours does.
func readFerreiro(p *paper, l map[string]string) error {
	r := reading{table: l["table"], problem: l["problem"], label: l["version"]}
	switch r.table {
	case "3", "4":
		r.label += " w=" + l["chains"]
	case "5":
		r.label += " N=" + l["N"]
	case "6":
		r.label += " " + l["evaluations"]
	case "7":
		r.label += " " + l["precision"]
	}
	err := p.add(r, l, map[string]string{
		"evaluations": "evaluations", "time_s": "seconds", "speedup": "speedup", "abs_error_f": "error", "location_error": "location",
	})
	if before := p.find("10", r.problem, "V2"); err == nil && r.table == "10" && r.label == "hybrid" && before != nil {
		p.readings[len(p.readings)-1].values["seconds"] += before.values["seconds"]
	}
	return err
}

// readAndrade reads Table I of Andrade et al.: C-GRASP, and with its parallel
// construction.
func readAndrade(p *paper, l map[string]string) error {
	r := reading{table: "I", problem: l["problem"], label: "sequential"}
	if err := p.add(r, l, map[string]string{"cgrasp_time_s": "seconds"}); err != nil {
		return err
	}
	r.label = "parallel"
	return p.add(r, l, map[string]string{"cgrasp_pc_time_s": "seconds", "speedup": "speedup"})
}

// readBouter reads cuts by instance, method and seconds; without seconds it is
// the best that is known. The paper's figures have no numbers: the methods are those that it
// and its field are measured against, on one core of a server's processor.
func readBouter(p *paper, l map[string]string) error {
	v, err := strconv.ParseFloat(l["cut"], 64)
	if err != nil {
		return fmt.Errorf("cut: %w", err)
	}
	name := "best"
	if l["seconds"] != "" {
		name = "at " + l["seconds"] + "s"
	}
	r := p.find(l["table"], l["problem"], l["method"])
	if r == nil {
		p.readings = append(p.readings, reading{l["table"], l["problem"], l["method"], map[string]float64{}})
		r = &p.readings[len(p.readings)-1]
	}
	r.values[name] = v
	return nil
}

// paperTables are a paper's readings alone, in the tables of its campaign.
func (p *paper) paperTables() (tables []measuredJSON, err error) {
	if p.readings == nil {
		return nil, nil
	}
	c, err := openCampaign(p.name)
	if err != nil {
		return nil, err
	}
	for i := range c.Tables {
		t := &measured{suite: p.name, table: c.Tables[i].Name, view: &c.Tables[i].view, paper: p}
		out := measuredJSON{Title: t.suite + "  table " + t.table, Suite: t.suite, Table: t.table, Columns: t.columnsOf(), paper: p.name, caption: c.Tables[i].Caption}
		for k := range p.readings {
			r := &p.readings[k]
			if r.table != t.table {
				continue
			}
			line := measuredRowJSON{Problem: r.problem, Method: r.label}
			for _, name := range out.Columns {
				line.Cells = append(line.Cells, measuredCellJSON{Ours: number(math.NaN()), Paper: r.at(t.columnName(name))})
			}
			out.Rows = append(out.Rows, line)
		}
		if out.Rows != nil {
			tables = append(tables, out)
		}
	}
	return tables, nil
}
