// Package record defines what a run leaves behind: the Result, which is result.json, and the lines of trace.jsonl,
// which are StartLine, SampleLine, EventLine and EndLine.
//
//	Result ─┬─ Header  the tool that wrote it
//	        ├─ Task    what ran; also in the StartLine
//	        ├─ Best    what was found
//	        ├─ Effort  what that took
//	        ├─ Ending  why it ended
//	        └─ Place   on which devices
//
// Values have the sense of the problem: if it is maximized, larger is better. Numbers that are not finite are null in
// the files. The package turns records into text and back; package runs, above it, reads and writes the files.
package record
