// npm test: everything that can fail, in the order in which a failure is cheapest to see.
// npm run check: the same without the browser and the slow tests.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build, environment, node, root } from './setup.mjs'

type Step = { name: string; command: string; args: string[] }

const bin = (name: string): string => join(root, 'node_modules/.bin', name)
const quick: Step[] = [
  { name: 'format', command: bin('oxfmt'), args: ['--check', '.'] },
  { name: 'lint', command: bin('oxlint'), args: ['--type-aware', '--deny-warnings'] },
  ...['contract', 'server', 'portal', 'e2e', 'bench', 'tools'].map((workspace) => ({
    name: `types of ${workspace}`,
    command: bin('tsc'),
    args: ['--noEmit', '-p', workspace],
  })),
  { name: 'unused files and exports', command: bin('knip'), args: ['--no-progress'] },
]
const quickly = process.argv.includes('--no-browser')
const everyTime = ['server', 'portal', 'house']
const projects = quickly ? everyTime : [...everyTime, 'slow', 'pooled']
const tests: Step = {
  name: 'tests',
  command: bin('vitest'),
  args: ['run', ...projects.map((name) => `--project=${name}`)],
}
const browser: Step = { name: 'browser journeys', command: node, args: [join(root, 'e2e/run.ts')] }

for (const step of quick) run(step)
build()
run(tests)
if (!quickly) run(browser)

function run({ name, command, args }: Step): void {
  const started = performance.now()
  process.stdout.write(`— ${name}\n`)
  const { status } = spawnSync(command, args, { cwd: root, env: environment(), stdio: 'inherit' })
  if (status !== 0) {
    process.stderr.write(`${name} failed\n`)
    process.exit(1)
  }
  process.stdout.write(`  ${name}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}
