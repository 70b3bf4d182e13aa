let failures = 0

/**
 * Imports a file of the program, also one that could not be loaded before. Browsers before 2026
 * keep a failure until the page is reloaded (whatwg/html, pull request 10327). For them, the same
 * address with another fragment is another file. Firefox names the address in its error, Safari
 * does not.
 * @param load imports the file
 * @param isWhole whether these are the exports of that module. A file of several modules exports
 *   each under another name.
 * @throws the browser's error
 */
export async function importAgain<T>(
  load: () => Promise<T>,
  isWhole: (exports: unknown) => exports is T,
): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const [address] = /https?:\/\/\S+\.js/.exec(String(error)) ?? []
    if (address === undefined) throw error
    failures++
    const file: Record<string, unknown> = await import(/* @vite-ignore */ `${address}#${failures}`)
    const whole = [file, ...Object.values(file)].find(isWhole)
    if (whole === undefined) throw error
    return whole
  }
}
