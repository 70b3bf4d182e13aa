import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connectOwner, type Node } from '../../testing/cluster/nodes.ts'

// How a test ends a worker of the cluster under load.

/**
 * A shell command that kills the PostgreSQL of WORKER_HOST and WORKER_PORT and starts it again,
 * such as `ssh $WORKER_HOST …`. It returns when PostgreSQL accepts connections.
 */
const command = process.env['CLUSTER_KILL_WORKER'] ?? ''

/** What `strike` does. */
export const howStruck =
  command === ''
    ? 'all connections of a worker ended (CLUSTER_KILL_WORKER is not set)'
    : `a worker killed by ${command}`

/** Kills a worker and starts it again; without a command it ends all of its connections. */
export async function strike(worker: Node): Promise<void> {
  if (command === '') return endConnections(worker)
  const { name: WORKER_HOST, port } = worker
  const env = { ...process.env, WORKER_HOST, WORKER_PORT: String(port) }
  // It inherits no pipe: the PostgreSQL that it starts would keep it open.
  const child = spawn('sh', ['-c', command], { env, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`CLUSTER_KILL_WORKER ended with ${code}`)
}

async function endConnections(worker: Node): Promise<void> {
  const client = await connectOwner(worker)
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and backend_type = 'client backend'`,
  )
  await client.end()
}
