/** One small mistake that the test suite has to notice. */
export type Fault = {
  /** Names the fault on the command line. */
  name: string
  /** The sort of mistake. */
  kind: string
  /** The file that is changed, from the root of the repository. */
  file: string
  /** Code that occurs in the file exactly once. Never the words of a comment. */
  find: string
  replace: string
  /** The test files that are expected to fail. */
  tests: string[]
}
