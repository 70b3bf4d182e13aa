const silentMs = 2_000

/** Waits for `work`; when it takes longer than two seconds, prints what it waits for on stderr. */
export async function sayIfSlow<T>(reason: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => process.stderr.write(`${reason} …\n`), silentMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}
