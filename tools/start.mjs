// npm start: everything from a fresh clone to a running product. npm run dev: the same with the
// portal rebuilt in the browser as its files change.
import './node-version.mjs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, environment, install, node, root } from './setup.mjs'

const development = process.argv.includes('--dev')
install()
if (!development) build()

// Half of what V8 would take by itself for what is new: a request leaves little behind. Compiled
// code is kept, so that a second start reads it instead of stripping types again.
const memory = ['--max-semi-space-size=8', '--max-old-space-size=512']
// Of glibc: one arena, and large buffers are returned to the system (docs/decisions/0113).
const allocator = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '65536',
}
const server = [...memory, ...(development ? ['--watch'] : []), join(root, 'server/src/main.ts')]
// The channel closes when this process ends, also by `kill -9`, and the server then stops too.
const stdio = ['inherit', 'inherit', 'inherit', ...(development ? [] : ['ipc'])]
const programs = [spawn(node, server, { ...options(), stdio })]
if (development) {
  programs.push(
    spawn(node, [join(root, 'node_modules/vite/bin/vite.js')], options(join(root, 'portal'))),
  )
}

// A signal goes to the program, which finishes what is in flight; this process ends as that one
// did.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => programs.forEach((program) => program.kill(signal)))
}
programs[0].on('exit', (code, signal) => {
  programs.slice(1).forEach((program) => program.kill())
  process.exitCode = signal === null ? (code ?? 1) : 1
})

function options(cwd = root) {
  const cache = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tillside') }
  return { cwd, env: { ...cache, ...allocator, ...environment() }, stdio: 'inherit' }
}
