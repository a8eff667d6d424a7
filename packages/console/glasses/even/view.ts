import type { WearingState } from '@glasses-cloud/phone/even-hub'
import { findElement } from '../find-element.ts'

const elements = {
  state: findElement('state', HTMLElement),
  code: findElement('code', HTMLElement),
  detail: findElement('detail', HTMLElement),
  problem: findElement('problem', HTMLElement),
  resume: findElement('resume', HTMLButtonElement),
  signOut: findElement('sign-out', HTMLButtonElement),
}

/** Says what the wearer needs to know. @param battery of the glasses, in percent */
export function showState(state: WearingState, battery: number | undefined): void {
  elements.state.textContent = sentenceOf(state)
  elements.detail.textContent = detailOf(state, battery)
  elements.code.textContent = state.kind === 'code' ? state.userCode : ''
  elements.code.hidden = state.kind !== 'code'
  elements.resume.hidden = state.kind !== 'failed' && state.kind !== 'paused'
  elements.signOut.hidden = state.kind !== 'worn' && state.kind !== 'paused'
}

/** Says that the page is open in another browser than that of the Even app. */
export function showHostMissing(): void {
  elements.state.textContent = 'This page works in the Even app only.'
  elements.detail.textContent =
    'Scan the code for Even G2 with that app: the console shows it under Connect your glasses. It contains the address of this page.'
}

/** Shows a sentence about something that failed; an empty text removes it. */
export function showProblem(text: string): void {
  elements.problem.textContent = text
}

export function onResume(resume: () => void): void {
  elements.resume.addEventListener('click', resume)
}

export function onSignOut(signOut: () => Promise<void>): void {
  elements.signOut.addEventListener('click', () => {
    elements.signOut.disabled = true
    signOut()
      .then(
        () => showProblem(''),
        (error: unknown) => showProblem(error instanceof Error ? error.message : String(error)),
      )
      .finally(() => {
        elements.signOut.disabled = false
      })
  })
}

function sentenceOf(state: WearingState): string {
  switch (state.kind) {
    case 'starting':
      return 'Connecting with the glasses…'
    case 'code':
      return `Open ${state.address} in a browser, on any device, and enter this code:`
    case 'connecting':
      return 'Connecting with the cloud…'
    case 'worn':
      return 'You are wearing your glasses.'
    case 'paused':
    case 'failed':
      return state.reason
  }
}

function detailOf(state: WearingState, battery: number | undefined): string {
  switch (state.kind) {
    case 'code':
      return 'The glasses show it too. This page continues by itself when you have approved it.'
    case 'worn':
      return `Start apps in the console. ${battery === undefined ? '' : `Battery of the glasses: ${battery} %.`}`
    case 'paused':
      return 'Tap a temple of the glasses, or the button.'
    case 'failed':
      return 'This is tried again by itself, or at a tap on a temple.'
    default:
      return ''
  }
}
