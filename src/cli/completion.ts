import { COMMANDS } from './commands/index.ts';
import { fileOptionOf } from './read-persons.ts';

export const PROGRAM = 'accounts-admin';
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Completes a command line. @param words the words before the cursor, the unfinished one last. */
export function listCompletions(words: readonly string[]): string[] {
  const unfinished = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const found = Object.entries(COMMANDS).find(([name]) => {
    const parts = name.split(' ');
    return parts.every((part, index) => before[index] === part);
  });
  const choices = found === undefined ? listNextWords(before) : listOptions(found[0], before);
  return [...new Set(choices)].filter((choice) => choice.startsWith(unfinished)).sort();
}

function listNextWords(before: readonly string[]): string[] {
  const names = [...Object.keys(COMMANDS), ...SHELLS.map((shell) => `completion ${shell}`)];
  return names
    .map((name) => name.split(' '))
    .filter((parts) => before.every((word, index) => parts[index] === word))
    .flatMap((parts) => parts.slice(before.length, before.length + 1));
}

function listOptions(name: string, before: readonly string[]): string[] {
  const command = COMMANDS[name];
  const last = before.at(-1) ?? '';
  const ofLast = command?.options[last.replace(/^--/, '')];
  if (last.startsWith('--') && ofLast !== undefined && ofLast.kind !== 'flag') return [...(ofLast.values ?? [])];
  const own = Object.entries(command?.options ?? {})
    .filter(([option, { kind }]) => kind === 'list' || !before.includes(`--${option}`))
    .flatMap(([option, { isPerson }]) => [`--${option}`, ...(isPerson === true ? [`--${fileOptionOf(option)}`] : [])]);
  return [...own, ...(command?.confirm === undefined ? [] : ['--yes']), '--json', '--help'];
}

/** The script that a shell loads. It calls the program, so it needs no update with it. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_accounts_admin() {
  mapfile -t COMPREPLY < <(${PROGRAM} completion list -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _accounts_admin ${PROGRAM}
`,
  zsh: `#compdef ${PROGRAM}
_accounts_admin() {
  local -a found
  found=("\${(@f)$(${PROGRAM} completion list -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _accounts_admin ${PROGRAM}
`,
  fish: `complete -c ${PROGRAM} -f -a '(set -l words (commandline -opc) (commandline -ct); ${PROGRAM} completion list -- $words[2..-1] 2>/dev/null)'
`,
};
