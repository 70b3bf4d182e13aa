/**
 * Makes a parser of local times by a format of YYYY, MM, M, DD, D, HH, H, mm, ss and literal
 * separators. It returns null when the text does not match or the time does not exist.
 */
export function timeReader(format: string): (text: string) => string | null {
  const units: string[] = []
  const source = format
    .replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`)
    .replaceAll(/YYYY|MM|DD|HH|mm|ss|M|D|H/gu, (token) => {
      units.push(token[0] ?? '')
      return token.length === 1 ? String.raw`(\d{1,2})` : `(\\d{${token.length}})`
    })
  const pattern = new RegExp(`^${source}$`, 'u')
  return (text) => {
    const match = pattern.exec(text)
    if (match === null) return null
    const unit = (letter: string, otherwise: string) =>
      (match[units.indexOf(letter) + 1] ?? otherwise).padStart(2, '0')
    const value = (letter: string, otherwise: string) =>
      units.includes(letter) ? unit(letter, otherwise) : otherwise
    const day = `${value('Y', '0000')}-${value('M', '01')}-${value('D', '01')}`
    const local = `${day}T${value('H', '00')}:${value('m', '00')}:${value('s', '00')}`
    const time = new Date(`${local}Z`)
    // 31 February reads as a day in March: then the date does not exist.
    return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(local) ? local : null
  }
}
