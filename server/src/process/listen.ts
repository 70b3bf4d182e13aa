import { createServer } from 'node:net'

/** An address to listen on, and the environment variables that set it. */
export type Place = { port: number; host: string; variables: { port: string; host: string } }

/**
 * Checks that the program can listen there, before it starts a database and fills it.
 * @throws Error with one line that names the obstacle and the variable to change
 */
export async function ensureFree(place: Place): Promise<void> {
  const { port, host } = place
  await new Promise<void>((free, failed) => {
    const probe = createServer()
    probe.once('error', (error) => failed(listenError(error, place)))
    probe.listen({ port, host }, () => probe.close(() => free()))
  })
}

/** The message for a person, instead of the system's error code. */
export function listenError(error: unknown, { port, host, variables }: Place): unknown {
  if (!(error instanceof Error && 'code' in error)) return error
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(
        `port ${port} is in use by another program, perhaps by another Tillside; ` +
          `stop that program, or set ${variables.port}=${port + 1} or another free port`,
      )
    case 'EACCES':
      return new Error(
        `this user may not listen on port ${port}; set ${variables.port} to 1024 or higher`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(`${variables.host}=${host} is not an address of this machine`)
    default:
      return error
  }
}
