// Replaces systemctl in the tests of the pages: it starts the program of a unit with the unit's
// own environment and folder. MACHINE is the folder that replaces the machine.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, openSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const machine = process.env.MACHINE ?? ''
const running = join(machine, 'run')
mkdirSync(running, { recursive: true })

const [verb, ...words] = process.argv.slice(2)
for (const name of words.filter((word) => word !== '--now')) {
  const unit = name.includes('.') ? name : `${name}.service`
  if (verb === 'stop' || verb === 'restart') await stop(unit)
  if (verb !== 'stop') start(unit)
}

function start(unit) {
  const text = readUnit(unit)
  if (unit.endsWith('.timer')) {
    readUnit(unit.replace(/timer$/, 'service'))
    return
  }
  const [program = '', ...rest] = valuesOf(text, 'ExecStart')[0]?.split(' ') ?? []
  const assigned = valuesOf(text, 'Environment').flatMap((line) => line.split(' '))
  const fromFile = valuesOf(text, 'EnvironmentFile').flatMap(assignmentsIn)
  const { HOME, LANG, PATH, TMPDIR } = process.env
  const env = {
    HOME,
    LANG,
    PATH,
    TMPDIR,
    ...Object.fromEntries([...assigned, ...fromFile].map(pair)),
  }
  const cwd = valuesOf(text, 'WorkingDirectory')[0]
  const log = openSync(join(running, `${unit}.log`), 'a')
  const options = { cwd, env, stdio: ['ignore', log, log] }
  if (valuesOf(text, 'Type')[0] === 'oneshot') {
    const { status, error } = spawnSync(program, rest, options)
    if (status === 0) return
    process.stderr.write(`Job for ${unit} failed: ${error ?? status}\n`)
    process.exit(1)
  }
  const child = spawn(program, rest, { ...options, detached: true })
  writeFileSync(join(running, `${unit}.pid`), String(child.pid))
  child.unref()
}

async function stop(unit) {
  const file = join(running, `${unit}.pid`)
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8'))
  for (let signal = 'SIGTERM'; send(pid, signal); signal = 0) await sleep(50)
  rmSync(file)
}

function send(pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function readUnit(unit) {
  const [, name = '', instance = '', kind = ''] = /^([^@]+)(?:@(\w+))?\.(\w+)$/.exec(unit) ?? []
  const file = join(machine, 'etc/systemd/system', `${name}${instance && '@'}.${kind}`)
  if (existsSync(file)) return readFileSync(file, 'utf8').replaceAll('%i', instance)
  process.stderr.write(`Failed to start ${unit}: Unit ${unit} not found.\n`)
  process.exit(1)
}

function valuesOf(text, name) {
  return [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
}

function assignmentsIn(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z_]+=/.test(line))
}

function pair(assignment) {
  const [name = '', ...value] = assignment.split('=')
  return [name, value.join('=').replaceAll(/^(['"])(.*)\1$/g, '$2')]
}
