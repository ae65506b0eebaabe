/**
 * A plain Markdown site for a fictional library. Defined in code, because editors and checkouts do
 * not preserve CRLF, byte order marks and missing final newlines.
 */
export const meadow: Readonly<Record<string, string>> = {
  'README.md': `# Meadow

A library for reading weather stations. The documentation is in [docs](docs/index.md).
`,
  'docs/changelog.md': `# Change log

## 2.1.0

- Added \`open_station(..., retries=)\`.

## 2.0.0

- \`connect\` is now called \`open_station\`.
- Dropped Python 3.8.
`,
  'docs/errors.md': `# Errors

StationTimeout
	The station did not answer in time.

StationBusy
	Another program reads the station.

	Wait and try again.
`,
  'docs/index.md': `# Meadow documentation

- [Stations](stations.md)
- [Units](units.md)
- [Errors](errors.md)
- [Change log](changelog.md)`,
  'docs/stations.md': `# Stations\r
\r
A station is opened by its address:\r
\r
\`\`\`python\r
from meadow import open_station\r
\r
station = open_station("tcp://192.0.2.7:4001")\r
print(station.read())\r
\`\`\`\r
\r
Reading takes up to 2 seconds. The default timeout is 5 seconds.\r
\r
| Model | Protocol | Sensors |\r
| --- | --- | --- |\r
| WS-100 | serial | 3 |\r
| WS-200 | TCP | 5 |\r
| WS-300 | TCP | 8 |\r
`,
  'docs/units.md': `\uFEFF# Units\r
\r
Values are metric: degrees Celsius, hectopascal, metres per second.\r
\r
Pass \`units="us"\` for Fahrenheit, inches of mercury and miles per hour.\r
\r
Rounding: temperatures have one digit after the point.`,
}
