import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from '../setup.mjs'

/** The folder of the tools that read OpenAPI documents. */
export const folder = import.meta.dirname
export const documentFile = join(folder, 'node_modules/.cache/integration.json')

/**
 * Installs the tools that their own lock file names, unless they are installed. They have a folder
 * of their own, because `npm start` must not wait for 190 MB that only checks use.
 * @throws Error when npm fails
 */
export function installTools(): void {
  const stamp = join(folder, 'node_modules/.installed')
  const wanted = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', '--no-save']
  runTool('npm', ['install', ...quietly])
  writeFileSync(stamp, wanted)
}

/** Runs a program in the tools' folder. @throws Error with its output when it fails */
export function runTool(command: string, args: readonly string[], cwd = folder): string {
  const env = {
    ...environment(),
    PATH: `${join(folder, 'node_modules/.bin')}:${environment().PATH}`,
  }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}

/** Writes the types of the document for `openapi-fetch`, without its examples. */
export function generateTypes(file: string): void {
  const typed = `${documentFile}.types.json`
  const document: unknown = JSON.parse(readFileSync(documentFile, 'utf8'))
  const withoutExamples = JSON.stringify(document, (key, value: unknown) =>
    key === 'example' ? undefined : value,
  )
  writeFileSync(typed, withoutExamples)
  // A field with a default may be left out of a request.
  runTool('openapi-typescript', [typed, '-o', file, '--default-non-nullable=false'])
}
