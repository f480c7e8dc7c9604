module github.com/clopt/clopt

go 1.26.0

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/cpuguy83/go-md2man/v2 v2.0.6
	github.com/ebitengine/purego v0.11.3
	github.com/jgillich/go-opencl v0.0.0-20180608191952-a0efba3e5257
	github.com/klauspost/compress v1.18.0
	github.com/sbinet/npyio v0.6.0
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.9
	github.com/stretchr/testify v1.12.1
	github.com/ulikunitz/xz v0.5.12
	golang.org/x/sys v0.49.0
	golang.org/x/term v0.47.0
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/russross/blackfriday/v2 v2.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/tools v0.36.0 // indirect
)
