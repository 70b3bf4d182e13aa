import type { Command } from 'commander'
import { columns, jsonCommand, print, withOwnerUrl } from '../database/command.ts'
import { readSchemaState } from '../database/migrate.ts'
import { progressBar } from '../values/import-report.ts'
import { type Distribution, distribute } from './distribute.ts'
import { columnOf } from './placement.ts'

/** `tillside database distribute` */
export function registerDistribute(database: Command): void {
  jsonCommand(database, 'distribute', 'Place the rows of each member on a node of a Citus cluster')
    .option('--dry-run', 'only say what would be placed')
    .action(async ({ json, dryRun = false }: { json?: boolean; dryRun?: boolean }) => {
      const bar = progressBar()
      const answer = await withOwnerUrl(async (ownerUrl) => {
        if ((await readSchemaState(ownerUrl)) !== 'current') {
          throw new Error('the schema is not of this program; run tillside database migrate first')
        }
        return distribute(ownerUrl, { dryRun }, (done) => bar.show('placing', done))
      }).finally(() => bar.stop())
      print(json, answer, linesOf(answer, dryRun))
    })
}

function linesOf({ version, nodes, moves, isFirst }: Distribution, dryRun: boolean): string[] {
  const names = nodes.map(({ name, port }) => `${name}:${port}`)
  const cluster = `Citus ${version}, rows on ${names.join(', ')}`
  if (moves.length === 0) return [cluster, 'All tables are placed.']
  const rows = moves.map(({ table, bytes }) => [
    table,
    columnOf.has(table) ? `by ${columnOf.get(table)}` : 'copied to every node',
    `${Math.ceil(bytes / 1024)} kB`,
  ])
  const table = [cluster, ...columns([['TABLE', 'PLACE', 'SIZE'], ...rows])]
  if (dryRun) return [...table, `${moves.length} tables would be placed`]
  const restart = isFirst
    ? ['Restart servers that were started before the extension was created.']
    : []
  return [...table, `${moves.length} tables placed`, ...restart]
}
