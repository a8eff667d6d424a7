@rem Windows has no `exec`, with which package.json replaces the shell of npm, so that Node receives the signals of npm.
@%*
