import file from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import { whenIdle } from '../load/whenIdle.ts'

// One file, two faces. Inter's usual range contains “ ” … — · and would print them narrow in
// Chinese text, so only English uses the second face. Until they are loaded, `fonts.css` shows a
// font of the device in their widths.
const ranges = {
  'Portal Latin': 'U+0000-00B6, U+00B8-00FF, U+0131, U+0152-0153, U+20AC, U+2212',
  'Portal Punct': 'U+00B7, U+2009, U+2010-2027, U+2030-203A',
}

/** The file's address, if this device has loaded it before. */
const keptKey = 'tillside:font'

type Kept = Pick<Storage, 'getItem' | 'setItem'>

let isAdded = false

/** Shows the font at once where the device has it: nothing changes after the first paint. */
export function showKeptFont(device: Kept): void {
  if (device.getItem(keptKey) === file) addFont(device)
}

/** Loads the font when the page is painted: the program's files come first. */
export function loadFont(device: Kept): void {
  whenIdle(() => addFont(device))
}

function addFont(device: Kept): void {
  if (isAdded) return
  isAdded = true
  for (const [family, unicodeRange] of Object.entries(ranges)) {
    const about = { weight: '100 900', display: 'swap', unicodeRange } as const
    const face = new FontFace(family, `url(${file}) format('woff2')`, about)
    document.fonts.add(face)
    face.loaded.then(
      () => device.setItem(keptKey, file),
      () => undefined,
    )
  }
}
