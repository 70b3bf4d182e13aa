// Brings a fresh clone to where the project's own Node can run: plain JavaScript without
// dependencies, because the machine's Node may be 20 and nothing is installed yet.
import './node-version.mjs'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { trim } from './trim.mjs'

export const root = join(import.meta.dirname, '..')
const isWindows = process.platform === 'win32'

/** The Node 24 that the project brings with it. */
export const node = join(root, 'node_modules/node/bin', isWindows ? 'node.exe' : 'node')

/** Installs what package-lock.json says, unless it is installed already. */
export function install() {
  const stamp = join(root, 'node_modules/.tillside-installed')
  const wanted = hash([join(root, 'package-lock.json')])
  if (existsSync(node) && read(stamp) === wanted) return
  say('Installing dependencies (about half a minute) …')
  // `npm ci` refuses a lock that lacks optional packages for other processors, and a registry may
  // not have them. `npm install --no-save` uses the versions of the lock too and does not write it.
  // Production needs the development packages as well, because they build the portal.
  const all = ['--include=dev', '--include=optional']
  const quietly = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  run(isWindows ? 'npm.cmd' : 'npm', ['install', ...all, ...quietly])
  trim(root)
  // Written last, so that an interrupted installation is repeated.
  writeFileSync(stamp, wanted)
}

/** Builds the portal when its sources are newer than what was built. */
export function build() {
  const stamp = join(root, 'portal/dist/.built-from')
  const wanted = hash([
    ...filesOf(join(root, 'portal')),
    ...filesOf(join(root, 'contract/src')),
    ...filesOf(join(root, 'docs/manual')),
    join(root, 'package-lock.json'),
  ])
  if (read(stamp) === wanted) return
  say('Building the portal …')
  run(isWindows ? 'npm.cmd' : 'npm', ['run', 'build', '--silent', '-w', 'portal'])
  writeFileSync(stamp, wanted)
}

/** The environment, with the project's own programs first in PATH. */
export function environment() {
  const bin = join(root, 'node_modules/.bin')
  return { ...process.env, PATH: `${bin}${isWindows ? ';' : ':'}${process.env.PATH ?? ''}` }
}

function run(command, args) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: isWindows,
  })
  if (status !== 0) process.exit(status ?? 1)
}

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'dist' && entry.name !== 'node_modules')
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesOf(path) : [path]
    })
    .toSorted((a, b) => (a < b ? -1 : 1))
}

function hash(files) {
  const sum = createHash('sha256')
  for (const file of files) sum.update(file.slice(root.length)).update(readFileSync(file))
  return sum.digest('hex')
}

function read(file) {
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : ''
}

function say(text) {
  process.stderr.write(`${text}\n`)
}

if (process.argv[1] === import.meta.filename) {
  install()
  if (process.argv.includes('--build')) build()
}
