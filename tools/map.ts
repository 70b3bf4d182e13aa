// Draws docs/house.svg from the imports: `npm run map`. `tools/tidy/map.ts` checks that it is
// current.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { featureOf, lines, source, specifiers, targetOf } from './tidy/files.ts'

/** Imports from one room to another inside a workspace. */
type Edge = { from: string; to: string; count: number }
type Side = keyof typeof lines

const root = join(import.meta.dirname, '..')
const cell = 18
const labelWidth = 150
const top = 105
const muted = 'fill="#5c5b57"'

/** @param more further attributes; without a fill the text is dark */
function text(x: number, y: number, content: string, more = ''): string {
  const fill = more.includes('fill=') ? '' : ' fill="#1c1c1a"'
  return `<text x="${x}" y="${y}"${fill} ${more}>${content}</text>`
}

/**
 * The map as SVG: one square matrix for each workspace. A row is a room, a column is a room that it
 * imports; the number is how many imports there are. Rooms are in the order of the import line, so
 * every number is to the left of the diagonal.
 */
export function drawMap(): string {
  const sides: Side[] = ['server', 'portal']
  const drawn = sides.map((side) => drawSide(side))
  const width = drawn.reduce((sum, side) => sum + side.width, 40)
  const height = Math.max(...drawn.map((side) => side.height)) + 100
  let left = 20
  const groups = drawn.map((side) => {
    const group = `<g transform="translate(${left} 50)">${side.svg}</g>`
    left += side.width
    return group
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"`,
    ' font-family="system-ui, sans-serif" font-size="11">',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(20, 28, 'Each row imports the rooms of its columns', 'font-size="16"'),
    ...groups,
    text(20, height - 14, `Made from the imports by npm run map. ${countsOf()}`, muted),
    '</svg>',
    '',
  ].join('\n')
}

function drawSide(side: Side): { svg: string; width: number; height: number } {
  const edges = edgesOf(side)
  const rooms = lines[side].filter((room) => filesIn(side, room) > 0)
  const columns = rooms.filter((room) => edges.some(({ to }) => to === room))
  const parts = [text(0, 12, side, 'font-size="13"')]
  columns.forEach((room, n) => {
    const x = labelWidth + n * cell + cell / 2 + 4
    parts.push(text(0, 0, room, `transform="translate(${x} ${top - 6}) rotate(-60)"`))
  })
  rooms.forEach((room, row) => {
    const y = top + row * cell
    const fill = row % 2 === 0 ? '#f4f3ef' : '#ffffff'
    const rowWidth = labelWidth + columns.length * cell
    parts.push(
      `<rect x="0" y="${y}" width="${rowWidth}" height="${cell}" fill="${fill}"/>`,
      text(4, y + 12, room),
      text(labelWidth - 8, y + 12, String(filesIn(side, room)), `text-anchor="end" ${muted}`),
    )
    columns.forEach((column, n) => {
      const count = edges.find(({ from, to }) => from === room && to === column)?.count
      if (count === undefined) return
      const x = labelWidth + n * cell + cell / 2
      parts.push(text(x, y + 12, String(count), 'text-anchor="middle" fill="#0b5c46"'))
    })
  })
  const height = top + rooms.length * cell
  return { svg: parts.join('\n'), width: labelWidth + columns.length * cell + 60, height }
}

function edgesOf(side: Side): Edge[] {
  const counts = new Map<string, Edge>()
  for (const { file, specifier } of specifiers(`${side}/src/`)) {
    const target = file.includes('.test.') ? null : targetOf(file, specifier)
    if (target === null || !target.startsWith(`${side}/src/`)) continue
    const [from, to] = [featureOf(file), featureOf(target)]
    if (from === to) continue
    const edge = counts.get(`${from} ${to}`) ?? { from, to, count: 0 }
    counts.set(`${from} ${to}`, { ...edge, count: edge.count + 1 })
  }
  return [...counts.values()]
}

function filesIn(side: Side, room: string): number {
  return source.filter(
    (file) =>
      file.startsWith(`${side}/src/`) && !file.includes('.test.') && featureOf(file) === room,
  ).length
}

function countsOf(): string {
  const shared = source.filter((file) => /^contract\/src\/(?!.*\.test\.)/.test(file)).length
  return `Grey numbers count files. Both import the ${shared} files of contract.`
}

if (import.meta.main) writeFileSync(join(root, 'docs/house.svg'), drawMap())
