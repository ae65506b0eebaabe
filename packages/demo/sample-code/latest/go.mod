module tidewater.example/tidewater

go 1.24

require github.com/spf13/cobra v1.9.1
