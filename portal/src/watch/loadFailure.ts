// The message if not even the texts can be loaded; so it is part of the program itself.
const texts: Record<string, readonly [string, string]> = {
  'zh-CN': ['加载失败。', '重试'],
  'zh-HK': ['未能載入。', '重試'],
  'zh-TW': ['無法載入。', '再試一次'],
}

/** Replaces a page that would otherwise stay blank or not work. */
export function showLoadFailure(): void {
  const [text, label] = texts[document.documentElement.lang] ?? [
    'This could not be loaded.',
    'Try again',
  ]
  const page = document.createElement('main')
  page.className = 'mx-auto grid max-w-[26rem] justify-items-start gap-4 px-[20px] py-8'
  const said = document.createElement('p')
  said.setAttribute('role', 'alert')
  said.textContent = text
  const again = document.createElement('button')
  again.className = 'min-h-11 rounded-button border border-control px-4'
  again.textContent = label
  again.addEventListener('click', () => location.reload())
  page.append(said, again)
  document.getElementById('root')?.replaceChildren(page)
}
