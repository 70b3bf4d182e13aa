import type { Plugin } from 'vite'

const unused = 'thin|light|duotone'
const drawing = new RegExp(String.raw`^ {2}\[\n {4}"(?:${unused})",[\s\S]*?^ {2}\],?\n`, 'gm')
const use = new RegExp(`weight=(?:"|.*')(?:${unused})['"]`)

/** Each icon brings drawings in six weights: leaves out the three in which none is shown. */
export function iconWeights(): Plugin {
  return {
    name: 'tillside-icon-weights',
    enforce: 'pre',
    transform(code, id) {
      if (id.includes('/@phosphor-icons/react/dist/defs/')) return code.replaceAll(drawing, '')
      if (/\/portal\/src\/.*\.tsx$/.test(id) && use.test(code)) {
        this.error(`an icon in a weight that vite.icons.ts leaves out`)
      }
      return null
    },
  }
}
