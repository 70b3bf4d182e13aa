import { join } from 'node:path'
import { node, root } from '../setup.mjs'
import type { Step } from './step.ts'

export const program = (name: string): string => join(root, 'node_modules/.bin', name)

export function format(...files: string[]): Step {
  const what = files.length === 0 ? ['.'] : files
  return { name: 'format', command: program('oxfmt'), args: ['--check', ...what] }
}

/** Lint rules and the compiler's own errors, by each folder's tsconfig.json. */
export function lintAndTypes(...files: string[]): Step {
  const args = ['--type-aware', '--type-check', '--deny-warnings', ...files]
  return { name: 'lint and types', command: program('oxlint'), args }
}

function unused(): Step {
  return {
    name: 'unused files and exports',
    command: program('knip'),
    args: ['--no-progress'],
  }
}

/** The portal that the browser, and the tests that start the product, need later. */
function portalBuild(): Step {
  return { name: 'build', command: node, args: [join(root, 'tools/setup.mjs'), '--build'] }
}

/** The document that generators of clients read. */
function openApi(): Step {
  return { name: 'OpenAPI document', command: node, args: [join(root, 'tools/openapi/lint.ts')] }
}

/** The longest first, so that a processor is not left without work at the end. */
export function allStatic(): Step[] {
  return [portalBuild(), lintAndTypes(), openApi(), unused(), format()]
}
