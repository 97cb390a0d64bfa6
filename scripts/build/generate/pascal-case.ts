/** `mail-delivery` → `MailDelivery`, `byStage` → `ByStage`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
