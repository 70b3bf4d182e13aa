import { type Amount, type Books, bookLines, type PointReport } from '@tillside/contract/report'

// The two written forms of a report: aligned columns for people, and comma-separated values with
// one figure in each line for spreadsheets.

const lineNames = {
  issued: 'Issued',
  takenBack: 'Taken back',
  redeemed: 'Redeemed',
  expired: 'Expired',
}

/** Comma-separated values; the first line has the names. */
export function csvLines(report: PointReport): string[] {
  const rows = [
    ['section', 'key', 'figure', 'entries', 'points', 'worth', 'expected'],
    ...booksRows('total', '', report.total),
    ...report.rows.flatMap((row) => booksRows(report.by, row.key ?? '', row)),
    ...report.outstanding.map((amount) => csvRow('outstanding', amount.month ?? '', '', amount)),
    csvRow('total', '', 'inDebt', report.inDebt),
    ['difference', '', 'accounts', '', String(report.difference.accounts), '', ''],
    ['difference', '', 'lots', '', String(report.difference.lots), '', ''],
  ]
  return rows.map((row) => row.join(','))
}

function booksRows(section: string, key: string, books: Books): string[][] {
  return [
    csvRow(section, key, 'opening', books.opening),
    ...books.types.map((one) => csvRow(section, key, one.type, one, String(one.entries))),
    ...bookLines.map((name) => csvRow(section, key, name, books.lines[name])),
    csvRow(section, key, 'closing', books.closing),
    csvRow(section, key, 'forgiven', books.forgiven),
  ]
}

function csvRow(section: string, key: string, figure: string, of: Amount, entries = ''): string[] {
  return [section, key, figure, entries, String(of.points), of.worth ?? '', of.expected ?? '']
}

/** Aligned columns; numbers are on the right. */
export function textLines(company: string, report: PointReport): string[] {
  const { from, to, pointValue, expectedRedemption, total, difference } = report
  const value = pointValue === null ? 'no point value is set' : `a point is worth ${pointValue}`
  const expected = expectedRedemption === null ? '' : `, ${expectedRedemption} expected`
  const { accounts, lots } = difference
  return [
    `${company}, ${from} to ${to}; ${value}${expected}`,
    '',
    ...aligned([
      ['', 'ENTRIES', 'POINTS', 'WORTH', 'EXPECTED'],
      textRow('Opening', total.opening),
      ...total.types.map((one) => textRow(`  ${one.type}`, one, String(one.entries))),
      textRow('Closing', total.closing),
    ]),
    '',
    ...aligned([
      ['', '', 'POINTS', 'WORTH', 'EXPECTED'],
      ...bookLines.map((name) => textRow(lineNames[name], total.lines[name])),
      textRow('Forgiven', total.forgiven),
      textRow('In debt', report.inDebt),
      ...report.outstanding.map((of) => textRow(`Outstanding, ${of.month ?? 'no end'}`, of)),
    ]),
    ...(report.rows.length === 0 ? [] : ['', ...aligned(keyRows(report))]),
    '',
    `Difference from the accounts: ${accounts}; from the lots: ${lots}`,
  ]
}

function keyRows({ by, rows }: PointReport): string[][] {
  const head = [by.toUpperCase(), 'OPENING', 'ISSUED', 'TAKEN BACK', 'REDEEMED', 'EXPIRED']
  return [
    [...head, 'CLOSING', 'FORGIVEN'],
    ...rows.map(({ key, opening, lines, closing, forgiven }) => [
      key ?? 'none',
      ...[opening, ...bookLines.map((name) => lines[name]), closing, forgiven].map(({ points }) =>
        String(points),
      ),
    ]),
  ]
}

function textRow(name: string, { points, worth, expected }: Amount, entries = ''): string[] {
  return [name, entries, String(points), worth ?? '', expected ?? '']
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map((row) => (row[index] ?? '').length)),
  )
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const width = widths[index] ?? 0
        return index === 0 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
      .trimEnd(),
  )
}
