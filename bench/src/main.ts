import { compareCalls } from './calls.ts'

const memoryMib = await compareCalls((row) => {
  const verdict = row.ratio >= row.target ? 'reached' : 'MISSED'
  process.stdout.write(
    `${row.name.padEnd(18)} ${String(row.connections).padStart(3)} connections: ` +
      `${row.product}/s of ` +
      `${row.reference}/s = ${row.ratio.toFixed(2)} (target ${row.target}, ${verdict}), ` +
      `p99 ${row.p99Ms.toFixed(1)} ms\n`,
  )
})
process.stdout.write(`server after the load: ${memoryMib.toFixed(0)} MiB resident\n`)
