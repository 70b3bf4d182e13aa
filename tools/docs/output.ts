import { withoutWaits } from '../../server/src/process/wait.ts'
import type { Result } from './blocks.ts'

/** Parts that differ from run to run. In the page and in the output they become `…`. */
const varying: readonly RegExp[] = [
  // ids
  /\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g,
  // API keys and the tokens of links
  /\btillside_(?!app\b)[\w-]+(\.{3})?/g,
  /(?<=[?&#]\w*=)[\w-]{20,}/g,
  // times, to the minute or to the second, and the names of backups
  /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?/g,
  /\b\d{8}T\d{6}Z?\b/g,
  // the folder of the database, and the login name
  /(?<=the packaged PostgreSQL in )\S+/g,
  /(?<=Recorded as done by )\S+/g,
  /(?<=^revision \d+ .* UTC {2})\S+/gm,
  // counts that grow with the program and the demo data
  /\b\d+(?= (invariants|members)\b)/g,
  /(?<=^audit +)\d+/gm,
  /(?<=^Last change: ).+/gm,
  // generated passwords
  /(?<=^password: )\S+/gm,
  // durations
  /\b\d+(\.\d+)? ?(ms|seconds?|s)\b/g,
]

function withoutVarying(text: string): string {
  return varying.reduce((sofar, pattern) => sofar.replaceAll(pattern, '…'), withoutWaits(text))
}

/** The page's result and the output, both as the test compares them: equal, or to be shown. */
export function compared(result: Result, output: string): { wanted: string; got: string } {
  if (result.language === 'json') {
    return { wanted: canonical(result.text), got: canonical(output) }
  }
  const wanted = linesOf(result.text)
  const got = linesOf(output)
  return matches(wanted, got)
    ? { wanted: result.text, got: result.text }
    : { wanted: wanted.join('\n'), got: got.join('\n') }
}

function canonical(json: string): string {
  try {
    return withoutVarying(JSON.stringify(JSON.parse(json), null, 2))
  } catch {
    return json
  }
}

function linesOf(text: string): string[] {
  return withoutVarying(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}

/** A line `…` of the page matches any lines. */
function matches(wanted: readonly string[], got: readonly string[]): boolean {
  const [first, ...rest] = wanted
  if (first === undefined) return got.length === 0
  if (first === '…')
    return got.some((_, from) => matches(rest, got.slice(from))) || rest.length === 0
  return first === got[0] && matches(rest, got.slice(1))
}
