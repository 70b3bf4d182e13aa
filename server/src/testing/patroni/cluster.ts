import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as pg from 'pg'
import * as z from 'zod/mini'
import { projectRoot } from '../../process/config.ts'
import { freePort } from '../servers/port.ts'
import { identity, killAllIn, startIn } from './processes.ts'
import type { Programs } from './programs.ts'

/**
 * Two PostgreSQL servers under Patroni, with etcd and haproxy, all on this machine. With Citus, two
 * for each group: group 0 is the coordinator, and the others are workers.
 */
export type PatroniCluster = {
  /** The address of the database's owner, at the leader through haproxy. */
  url: string
  /** The same at a standby. */
  standbyUrl: string
  /** With Citus: the address of the program's role. */
  appUrl: string
  /** The name of a group's leader, or null during an election. */
  leader(group?: number): Promise<string | null>
  /** Resolves with the leader's name when a standby follows it synchronously. */
  ready(group?: number): Promise<string>
  /** Kills a node with SIGKILL: Patroni and PostgreSQL, or Patroni alone. */
  kill(name: string, alone: boolean): Promise<void>
  /** Starts Patroni again on a node, as systemd does after a crash. */
  start(name: string): void
  /** Changes the leader on purpose. */
  switchOver(from: string): Promise<void>
  close(): Promise<void>
}

type Node = { name: string; group: number; folder: string; port: number; restPort: number }

// A busy machine needs long to create a cluster and to copy it.
const readyMs = 240_000
const secret = 'change-the-superuser-password'
const appSecret = 'app-secret'
const restSecret = 'patroni:change-the-restapi-password'

const mark = 'password_encryption: scram-sha-256'
/** A node that died during a commit has prepared transactions, which end so much later. */
const recovery = `\n    citus.recover_2pc_interval: 5s`

const Members = z.object({
  members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string() })),
})

/**
 * Starts the cluster with `ops/patroni.yml` and `ops/haproxy.cfg`.
 * @param workers the number of groups of workers; null: without Citus
 */
export async function startPatroni(
  programs: Programs,
  workers: number | null = null,
): Promise<PatroniCluster> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tillside-patroni-')))
  const close = async () => {
    await killAllIn(folder)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    return { ...(await startIt(programs, folder, workers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startIt(
  programs: Programs,
  folder: string,
  workers: number | null,
): Promise<Omit<PatroniCluster, 'close'>> {
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid)
  const etcd = await startEtcd(programs, folder)
  const nodes: Node[] = []
  for (let n = 0; n < 2 * ((workers ?? 0) + 1); n++) {
    const [name, port, restPort] = [`db${n + 1}`, await freePort(), await freePort()]
    nodes.push({ name, group: Math.floor(n / 2), folder: join(folder, name), port, restPort })
  }
  const ofGroup = (group: number) => nodes.filter((node) => node.group === group)
  const running = new Map<string, ChildProcess>()
  const nodeOf = (name: string): Node => {
    const node = nodes.find((one) => one.name === name)
    if (node === undefined) throw new Error(`no node ${name}`)
    return node
  }
  const start = (name: string) => {
    const node = nodeOf(name)
    running.set(name, startIn(node.folder, programs.patroni, [join(node.folder, 'patroni.yml')]))
  }
  for (const node of nodes) {
    await writeNode(programs, node, etcd, workers !== null)
    start(node.name)
  }
  const ports = await startHaproxy(programs, folder, ofGroup(0))
  const ready = (group = 0) => untilReady(ofGroup(group))
  for (const { group } of nodes) await ready(group)
  const url = `postgres://tillside:secret@127.0.0.1:${ports.leader}/tillside`
  const superuser = `postgres://postgres:${secret}@127.0.0.1:${ports.leader}`
  if (workers === null) await withLeader(`${superuser}/postgres`, createDatabase)
  else await withLeader(`${superuser}/tillside`, (client) => openToRoles(client, workers))
  return {
    url,
    standbyUrl: url.replace(`:${ports.leader}/`, `:${ports.standby}/`),
    appUrl: url.replace('tillside:secret@', `tillside_app:${appSecret}@`),
    leader: (group = 0) => leaderOf(ofGroup(group), false),
    ready,
    start,
    async kill(name, alone) {
      running.get(name)?.kill('SIGKILL')
      if (!alone) await killAllIn(nodeOf(name).folder)
    },
    async switchOver(from) {
      const { restPort } = nodeOf(from)
      const response = await fetch(`http://127.0.0.1:${restPort}/switchover`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(restSecret)}` },
        body: JSON.stringify({ leader: from }),
      })
      if (!response.ok) throw new Error(`no switchover: ${await response.text()}`)
    },
  }
}

/** @returns the address of etcd's clients */
async function startEtcd({ etcd }: Programs, folder: string): Promise<string> {
  const home = join(folder, 'etcd')
  await ownFolder(home)
  const [clients, peers] = [await freePort(), await freePort()]
  const [own, peer] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`]
  const words = ['--name=one', `--data-dir=${join(home, 'data')}`, `--initial-cluster=one=${peer}`]
    .concat([`--listen-client-urls=${own}`, `--advertise-client-urls=${own}`])
    .concat([`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`])
  startIn(home, etcd, [...words, '--log-level=error'])
  return `127.0.0.1:${clients}`
}

async function writeNode(
  { bin }: Programs,
  node: Node,
  etcd: string,
  hasCitus: boolean,
): Promise<void> {
  await ownFolder(node.folder)
  const file = changed(await readFile(join(projectRoot, 'ops/patroni.yml'), 'utf8'), [
    ['name: db1', `name: ${node.name}`],
    ['10.0.0.11:8008', `127.0.0.1:${node.restPort}`],
    ['10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379', etcd],
    ['10.0.0.11:5432', `127.0.0.1:${node.port}`],
    ['10.0.0.0/24', '127.0.0.1/32'],
    ['/var/lib/postgresql/17/tillside', join(node.folder, 'cluster')],
    ['/usr/lib/postgresql/17/bin', bin],
    ['/var/lib/postgresql/tillside.pgpass', join(node.folder, 'pgpass')],
    ['/var/run/postgresql', node.folder],
  ])
  const parts = [`citus:\n  group: ${node.group}\n  database: tillside\n`, recovery]
  const text = hasCitus ? changed(file + parts[0], [[mark, `${mark}${parts[1]}`]]) : file
  await writeFile(join(node.folder, 'patroni.yml'), text)
}

async function startHaproxy(
  { haproxy }: Programs,
  folder: string,
  nodes: readonly Node[],
): Promise<{ leader: number; standby: number }> {
  const home = join(folder, 'haproxy')
  await ownFolder(home)
  const [leader, standby] = [await freePort(), await freePort()]
  const file = changed(await readFile(join(projectRoot, 'ops/haproxy.cfg'), 'utf8'), [
    ['127.0.0.1:5000', `127.0.0.1:${leader}`],
    ['127.0.0.1:5001', `127.0.0.1:${standby}`],
    ['    server db3 10.0.0.13:5432 check port 8008\n', ''],
    ...nodes.map(
      ({ port, restPort }, n) =>
        [
          `10.0.0.1${n + 1}:5432 check port 8008`,
          `127.0.0.1:${port} check port ${restPort}`,
        ] as const,
    ),
  ])
  await writeFile(join(home, 'haproxy.cfg'), file)
  startIn(home, haproxy, ['-db', '-f', join(home, 'haproxy.cfg')])
  return { leader, standby }
}

/** @throws Error if a part is missing: the test would then not run the file for operators */
function changed(text: string, parts: readonly (readonly [string, string])[]): string {
  return parts.reduce((left, [before, after]) => {
    if (!left.includes(before)) throw new Error(`the file in ops has no "${before}"`)
    return left.replaceAll(before, after)
  }, text)
}

async function ownFolder(path: string): Promise<void> {
  await mkdir(path)
  if (identity.uid !== undefined) await chown(path, identity.uid, identity.gid)
}

/** The members as Patroni lists them, or none when no node answers. */
async function membersOf(nodes: readonly Node[]) {
  for (const { restPort } of nodes) {
    const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`)
      .then((response) => response.json())
      .catch(() => null)
    const told = Members.safeParse(answer)
    if (told.success) return told.data.members
  }
  return []
}

async function leaderOf(nodes: readonly Node[], withStandby: boolean): Promise<string | null> {
  const members = await membersOf(nodes)
  const leader = members.find(({ role, state }) => role === 'leader' && state === 'running')
  if (withStandby && !members.some(({ role }) => role === 'sync_standby')) return null
  return leader?.name ?? null
}

async function untilReady(nodes: readonly Node[]): Promise<string> {
  const until = performance.now() + readyMs
  for (;;) {
    const leader = await leaderOf(nodes, true)
    if (leader !== null) return leader
    if (performance.now() > until) {
      const logs = nodes.map(({ folder }) =>
        readFileSync(join(folder, 'log'), 'utf8').slice(-2_000),
      )
      throw new Error(`Patroni has no leader with a standby: ${logs.join('\n')}`)
    }
    await sleep(200)
  }
}

/** Runs work on the leader, when haproxy has found it. */
async function withLeader(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const until = performance.now() + readyMs
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return await work(client)
    } catch (error) {
      // Patroni makes the database of Citus after the election.
      const isEarly = !(error instanceof pg.DatabaseError) || error.code === '3D000'
      if (!isEarly || performance.now() > until) throw error
      await sleep(200)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** The owner and the database as docs/operations.md creates them. */
async function createDatabase(client: pg.Client): Promise<void> {
  await client.query(`create role tillside login createrole password 'secret'`)
  await client.query('create database tillside owner tillside')
}

/** The same on all nodes of Citus, with both roles, as docs/high-availability.md describes it. */
async function openToRoles(client: pg.Client, workers: number): Promise<void> {
  const active = `select from pg_dist_node where isactive and groupid > 0 and noderole = 'primary'`
  while ((await client.query(active)).rowCount !== workers) await sleep(200)
  await client.query(`create role tillside login createrole password 'secret'`)
  await client.query(`create role tillside_app login password '${appSecret}'`)
  await client.query('alter database tillside owner to tillside')
  const passwords = `insert into pg_dist_authinfo values
    (0, 'tillside', 'password=secret'), (0, 'tillside_app', 'password=${appSecret}')`
  const { rows } = await client.query<{ success: boolean; result: string }>(
    'select success, result from run_command_on_all_nodes($1)',
    [passwords],
  )
  for (const { success, result } of rows) if (!success) throw new Error(result)
}
