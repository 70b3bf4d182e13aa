const attempts = 4

/**
 * Runs a transaction, and again after a failure that another attempt may not meet: at most four
 * times, with a random pause that grows.
 */
export async function retrying<T>(
  run: () => Promise<T>,
  mayRetry: (error: unknown) => boolean,
): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await run()
    } catch (error) {
      if (n === attempts || !mayRetry(error)) throw error
      await new Promise((wake) => setTimeout(wake, Math.random() * 25 * 2 ** n))
    }
  }
}
