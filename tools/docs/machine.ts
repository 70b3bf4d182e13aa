import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { getuid } from 'node:process'
import { node, root } from '../setup.mjs'

/** The uid of the sessions when the test runs as root: Debian's user without rights. */
const unprivileged = 65534

/**
 * A folder that replaces a machine: a home, a repository to clone, and the folders of the system
 * that the pages name. Commands run on it as an unprivileged user.
 */
export type Machine = {
  folder: string
  /** Empty when the test itself has no privileges. */
  identity: { uid?: number; gid?: number }
  environment: Record<string, string>
  /** The text of a page or of a file in `ops`, with this machine's folders and ports. */
  here(text: string): string
  /** An output, with the folders and ports that the pages name. */
  asOnPage(text: string): string
  /** Clones the repository, as git does for the pages. Returns the new folder. */
  clone(place: string): string
  remove(): void
}

/** Folders outside of the clone that the pages name. */
const folders = [
  '/opt/tillside',
  '/etc/tillside',
  '/etc/systemd/system',
  '/usr/local/bin',
  '/var/backups/tillside',
  '/var/lib/tillside',
  '/var/cache/tillside',
  '/var/tmp',
]

/** The repository that the pages clone, and the version to which they upgrade. */
const repository = 'https://git.example.com/tillside.git'
const version = 'v0.2.0'

export async function createMachine(): Promise<Machine> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tillside-docs-')))
  chmodSync(folder, 0o755)
  const identity = getuid?.() === 0 ? { uid: unprivileged, gid: unprivileged } : {}
  const ports = await freePorts()
  const bin = join(folder, 'bin')
  const machine: Machine = {
    folder,
    identity,
    environment: {
      HOME: join(folder, 'home'),
      LANG: 'C.UTF-8',
      NPM_CONFIG_UPDATE_NOTIFIER: 'false',
      TMPDIR: join(folder, 'tmp'),
      PATH: [bin, join(folder, 'usr/local/bin'), ...systemPath()].join(delimiter),
    },
    here: (text) =>
      folders
        .reduce((sofar, one) => sofar.replaceAll(one, folder + one), text)
        .replaceAll(/(?<![\d.])([89])08(?=[0-3$%])/g, (_, kind: '8' | '9') => ports[kind]),
    asOnPage: (text) =>
      text
        .replaceAll(folder, '')
        .replaceAll(/(?<=127\.0\.0\.1:)(\d{4})(?=[0-3]\b)/g, (port) =>
          port === ports[8] ? '808' : port === ports[9] ? '908' : port,
        ),
    clone(place) {
      run('git', ['clone', '-q', repository, join(folder, place)], folder, machine)
      return join(folder, place)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  const inside = [
    'home',
    'tmp',
    'run',
    'bin',
    'hooks',
    'etc/systemd/system',
    'usr/local/bin',
    'work',
  ]
  for (const part of [...inside, 'var/lib', 'var/backups', 'var/tmp', 'opt', 'etc/tillside']) {
    mkdirSync(join(folder, part), { recursive: true })
  }
  writePrograms(machine)
  copyRepository(machine)
  writeFileSync(
    join(folder, 'home/.gitconfig'),
    `[url "${folder}/repository"]\n  insteadOf = ${repository}\n` +
      `[core]\n  hooksPath = ${folder}/hooks\n[init]\n  defaultBranch = main\n` +
      '[user]\n  name = Docs\n  email = docs@example.com\n[advice]\n  detachedHead = false\n',
  )
  if (identity.uid !== undefined) run('chown', ['-R', `${identity.uid}:${identity.gid}`, folder])
  const commit = `git init -q && git add -A && git commit -qm all && git tag ${version}`
  run('sh', ['-c', commit], join(folder, 'repository'), machine)
  return machine
}

/** The caller's search path without the project's own programs. */
function systemPath(): string[] {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((part) => !part.includes('node_modules'))
}

/** The first three digits of four ports each: `808` and `908` in the pages. */
async function freePorts(): Promise<{ 8: string; 9: string }> {
  for (;;) {
    const tens = 1300 + 2 * Math.floor(Math.random() * 900)
    const free = await Promise.all([0, 1, 2, 10, 11, 12].map((n) => isFree(tens * 10 + n)))
    if (free.every(Boolean)) return { 8: String(tens), 9: String(tens + 1) }
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
}

/**
 * Programs that need root. They do what an unprivileged user can do of it: `systemctl` starts what
 * the unit says, `install` copies without changing the owner.
 */
function writePrograms({ folder }: Machine): void {
  const write = (name: string, text: string): void =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  for (const name of ['useradd', 'chown']) write(`bin/${name}`, 'exit 0')
  const owner = 's/(^| )-[og] [a-z]+( |$)/\\1/g'
  write('bin/install', `exec /usr/bin/install $(echo "$*" | sed -E -e '${owner}' -e '${owner}')`)
  const systemctl = join(import.meta.dirname, 'systemctl.mjs')
  cpSync(systemctl, join(folder, 'bin/systemctl.mjs'))
  write('bin/systemctl', `MACHINE=${folder} exec "${reachable(folder)}/node" "$0.mjs" "$@"`)
  write('hooks/post-checkout', modulesHook(folder))
}

/** The folder of the project's Node, or a copy where the unprivileged user cannot reach it. */
function reachable(folder: string): string {
  if (canBeReached(root)) return dirname(node)
  cpSync(node, join(folder, 'bin/node'))
  return join(folder, 'bin')
}

function canBeReached(path: string): boolean {
  const parent = dirname(path)
  return (statSync(path).mode & 0o1) !== 0 && (parent === path || canBeReached(parent))
}

/**
 * Git runs it after a clone. It gives the clone the installed packages and the built portal of this
 * repository, so that `tools/setup.mjs` has nothing left to do. Packages are links; those of the
 * workspaces lead to the clone's own.
 */
function modulesHook(folder: string): string {
  const from = canBeReached(root) ? root : join(folder, 'installed')
  if (from !== root) {
    for (const part of workspaces) {
      const modules = join(part, 'node_modules')
      if (!existsSync(join(root, modules))) continue
      mkdirSync(join(from, part), { recursive: true })
      run('cp', ['-a', join(root, modules), join(from, modules)])
    }
    run('cp', ['-a', join(root, 'portal/dist'), join(from, 'portal/dist')])
  }
  return `[ -e node_modules ] && exit 0
for part in ${workspaces.join(' ')}; do
  from=${from}/$part/node_modules
  [ -d "$from" ] || continue
  mkdir "$part/node_modules"
  ln -s "$from"/* "$part/node_modules/"
  for own in .bin @tillside; do
    [ -e "$from/$own" ] || continue
    rm -f "$part/node_modules/$own"
    cp -R -P "$from/$own" "$part/node_modules/$own"
  done
done
cp ${from}/node_modules/.tillside-installed node_modules/
cp -R ${from}/portal/dist portal/dist`
}

const workspaces = ['.', 'contract', 'server', 'portal', 'e2e', 'bench']

/** This repository with its uncommitted changes, and with the machine's folders in ops. */
function copyRepository(machine: Machine): void {
  const { folder } = machine
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.stdout.split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue
    cpSync(join(root, file), join(folder, 'repository', file), { recursive: true })
  }
  for (const file of readdirSync(join(root, 'ops'))) {
    const copy = join(folder, 'repository/ops', file)
    if (statSync(copy).isFile()) writeFileSync(copy, machine.here(readFileSync(copy, 'utf8')))
  }
}

function run(program: string, words: string[], cwd?: string, machine?: Machine): void {
  const options = machine && { ...machine.identity, env: machine.environment }
  const { status, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8', ...options })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`)
}
