import type { APIResponse, Route } from '@playwright/test'

/**
 * Has the server do what it is asked, while the page still waits.
 * @returns what it answered, of which the page knows nothing yet
 */
export async function deliver(route: Route): Promise<APIResponse> {
  const request = route.request()
  if (request.method() === 'GET' || !isFirefox(route)) return route.fetch()
  // Firefox's driver does not tell what a request carries; `firefox.ts` has the page remember it.
  const postData = await request
    .frame()
    .evaluate(
      (url) => new Map<string, string>(Reflect.get(window, 'carried')).get(url),
      request.url(),
    )
  return postData === undefined ? route.fetch() : route.fetch({ postData })
}

/** Done, and nobody heard. */
export async function loseAnswer(route: Route): Promise<void> {
  await deliver(route)
  await route.abort()
}

function isFirefox(route: Route): boolean {
  return route.request().frame().page().context().browser()?.browserType().name() === 'firefox'
}
