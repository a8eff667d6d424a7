/** The page that a phone opens by a code: that it is shown proves that the phone reaches the cloud, which it reports. */
import { findElement } from '../find-element.ts'
import { reportCode } from './report-code.ts'

const result = findElement('result', HTMLElement)
const again = findElement('again', HTMLButtonElement)

let code: string | null = null

/** Takes the code of the address: the history does not keep it, and no text of the page is from there. */
function takeCode(): void {
  code = new URLSearchParams(window.location.hash.slice(1)).get('code')
  window.history.replaceState(null, '', window.location.pathname)
}

async function report(): Promise<void> {
  again.hidden = true
  const { text, canRepeat } = await reportCode(code)
  result.textContent = text
  again.hidden = !canRepeat
}

/** A code that is scanned while the page is open changes the fragment only. */
window.addEventListener('hashchange', () => {
  takeCode()
  void report()
})
again.addEventListener('click', () => void report())
takeCode()
void report()
