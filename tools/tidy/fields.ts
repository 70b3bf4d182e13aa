import { expect, test } from 'vitest'
import { files, read } from './files.ts'

/** From the tag to the line that ends it. */
const elements = /<(?:input|select|textarea|RadioLabel)\b(?:(?!\n\s*\/?>)[^])*/g

test('fields of the portal show their props after each change (useControlled)', () => {
  // `RadioLabel` is one option; the group that renders it restores all of them.
  const screens = files.filter((file) => /^portal\/src\/.*(?<!RadioLabel)\.tsx$/.test(file))
  const wrong = screens.flatMap((file) =>
    Array.from(read(file).matchAll(elements), ([element]) => element)
      .filter((element) => /\bon(?:Change|Choose)=/.test(element))
      .filter((element) => !element.includes('type="file"') && !/\brestore\(\)/.test(element))
      .map((element) => `${file}: ${element.split('\n', 1).join('')}`),
  )
  expect(wrong).toEqual([])
})
