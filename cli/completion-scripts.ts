// The scripts ask `itsm __complete` (completion.ts) for lines with a word, a tab and its description. Without an answer, the
// shells complete file names.

export const completionScripts: Readonly<Record<string, string>> = {
  bash: `_itsm() {
  local IFS=$'\\n'
  COMPREPLY=($(itsm __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _itsm itsm`,

  zsh: `#compdef itsm
_itsm() {
  local -a found
  found=("\${(@f)$(itsm __complete "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e $'s/\\t/:/')}")
  if [[ -n "$found" ]]; then _describe itsm found; else _files; fi
}
compdef _itsm itsm`,

  fish: `complete -c itsm -a '(itsm __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
};
