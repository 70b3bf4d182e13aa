import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'
import type { Step } from './step.ts'

/** Each of these folders has its own tsconfig.json. */
export const workspaces = ['contract', 'server', 'portal', 'e2e', 'bench', 'tools'] as const
export type Workspace = (typeof workspaces)[number]

export const program = (name: string): string => join(root, 'node_modules/.bin', name)

// What the compiler found last time. Only what depends on a change is checked again.
const remembered = join(root, 'node_modules/.cache/tillside-types')

export function format(...files: string[]): Step {
  const what = files.length === 0 ? ['.'] : files
  return { name: 'format', command: program('oxfmt'), args: ['--check', ...what] }
}

/** Type-aware rules included, for some files or for all. */
export function lint(...files: string[]): Step {
  const args = ['--type-aware', '--deny-warnings', ...files]
  return { name: 'lint', command: program('oxlint'), args }
}

export function types(workspace: Workspace): Step {
  mkdirSync(remembered, { recursive: true })
  const file = join(remembered, `${workspace}.tsbuildinfo`)
  return {
    name: `types of ${workspace}`,
    command: program('tsc'),
    args: ['--noEmit', '--incremental', '--tsBuildInfoFile', file, '-p', workspace],
  }
}

function unused(): Step {
  return {
    name: 'unused files and exports',
    command: program('knip'),
    args: ['--no-progress'],
  }
}

/** The longest first, so that a processor is not left without work at the end. */
export function allStatic(): Step[] {
  const slowestFirst = ['server', 'portal', 'e2e', 'tools', 'bench', 'contract'] as const
  return [format(), lint(), ...slowestFirst.map(types), unused()]
}
