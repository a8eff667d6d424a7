/** Texts of the first steps. */
export const welcomeTexts = {
  title: 'Welcome',
  description: 'Your cloud is running. What would you like to do first?',
  simulator: {
    title: 'Try it in the browser',
    text: 'Wear simulated glasses: speak or type, and read on the lens what an app makes of it. You need no hardware.',
    action: 'Wear simulated glasses',
  },
  real: {
    title: 'Connect your glasses',
    text: 'Even G2, Even G1, Brilliant Frame and Halo, glasses of the Mentra app, or an own build of the open phone app: step by step to words on the lens. Experimental.',
    action: 'Connect your glasses',
  },
  app: {
    title: 'Make an app',
    text: 'Create an app, get its key, and start its server with a few lines of TypeScript.',
    action: 'Make an app',
  },
  store: {
    title: 'Look at the apps',
    text: 'See the apps of this cloud, and install some.',
    action: 'Open the store',
  },
} as const
