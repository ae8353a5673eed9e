import type { PageTexts } from './page-texts.ts';

export const ptBr: PageTexts = {
  unknownApp: 'seu aplicativo de origem',
  back: 'Voltar para {app}',
  reference: 'Precisa de ajuda? Informe esta referência:',
  operator: {
    by: 'Este serviço é operado por {operator}.',
    contact: 'Contato',
    privacy: 'Política de privacidade',
    terms: 'Termos de uso',
  },
  connect: { headline: 'Vincular uma conta', nothing: 'Nada foi vinculado.', doing: 'vincular uma conta' },
  identity: { headline: 'Entrar', nothing: 'Você não entrou na sua conta.', doing: 'entrar' },
  onward: { title: 'Um momento', link: 'Continuar' },
  refusals: {
    wrongMethod: {
      title: 'Esta página não pode ser aberta diretamente',
      what: 'Este endereço é uma etapa para {doing}. Ele não funciona sozinho.',
      todo: 'Vá para {app} e comece por lá.',
    },
    wrongForm: {
      title: 'Este link está incompleto',
      what: 'Não conseguimos ler a solicitação que trouxe você até aqui. {nothing}',
      todo: 'Volte para {app} e comece de novo.',
    },
    formTooLarge: {
      title: 'Este link está incompleto',
      what: 'Não conseguimos ler a solicitação que trouxe você até aqui. {nothing}',
      todo: 'Volte para {app} e comece de novo.',
    },
    launchUnknown: {
      title: 'Este link não funciona',
      what: 'O link pode estar incompleto ou ser antigo demais. {nothing}',
      todo: 'Volte para {app} e comece de novo.',
    },
    launchUsed: {
      title: 'Este link já foi usado',
      what: 'Cada link funciona uma vez, e este já foi aberto, talvez por um segundo clique. Se a próxima página estiver aberta em outra aba, você pode continuar por lá.',
      todo: 'Caso contrário, volte para {app} e comece de novo.',
    },
    launchExpired: {
      title: 'Este link expirou',
      what: 'Ele era válido por dez minutos. {nothing}',
      todo: 'Volte para {app} e comece de novo.',
    },
    wrongOrigin: {
      title: 'Interrompemos esta solicitação',
      what: 'A página que a enviou não pertence a {app}. {nothing}',
      todo: 'Se você queria fazer isso, abra {app} por conta própria e comece por lá.',
    },
    framed: {
      title: 'Esta etapa precisa da janela inteira',
      what: 'A página de onde você veio está dentro de outra página. {nothing}',
      todo: 'Abra {app} em uma janela própria e comece por lá.',
    },
    notNavigation: {
      title: 'Esta etapa precisa de uma página própria',
      what: 'A solicitação não veio de uma página que você abriu. {nothing}',
      todo: 'Vá para {app} e comece de novo.',
    },
    notAllowed: {
      title: 'Isso não é mais possível',
      what: 'As configurações de {app} mudaram desde que você começou. {nothing}',
      todo: 'Volte para {app} para ver suas opções.',
    },
    paused: {
      title: 'A vinculação está pausada',
      what: 'No momento, você não pode vincular contas desta plataforma. {nothing}',
      todo: 'Volte para {app} e tente mais tarde.',
    },
    disconnecting: {
      title: 'Uma desvinculação ainda está em andamento',
      what: 'Estamos desvinculando outra das suas contas da mesma plataforma. Depois disso, você poderá vincular uma conta.',
      todo: 'Volte para {app} e tente de novo em alguns minutos.',
    },
    callbackUnknown: {
      title: 'Este link é inválido ou já foi usado',
      what: 'Esta etapa já terminou, ou nunca começou.',
      todo: 'Volte para {app} e comece de novo.',
    },
    callbackExpired: {
      title: 'Demorou demais',
      what: 'Esperamos sua decisão por dez minutos. {nothing}',
      todo: 'Volte para {app} e comece de novo.',
    },
    wrongBrowser: {
      title: 'Continue no navegador em que você começou',
      what: 'Você começou em outro navegador, ou este navegador não guardou nosso cookie.',
      todo: 'Volte para aquele navegador. Se for este, permita os cookies e comece de novo em {app}.',
    },
    answerUnusable: {
      title: 'A resposta é inválida',
      what: 'A plataforma devolveu você com uma resposta que não podemos aceitar. {nothing}',
      todo: 'Volte para {app} e comece de novo.',
    },
    prefetch: {
      title: 'Ainda não aberta',
      what: 'Esta página não pode ser carregada com antecedência.',
      todo: 'Abra a página para continuar.',
    },
    tooManyTries: {
      title: 'Tentativas demais',
      what: 'Recebemos solicitações demais da sua rede em pouco tempo.',
      todo: 'Espere um minuto, depois volte para {app} e comece de novo.',
    },
    unavailable: {
      title: 'Temporariamente indisponível',
      what: 'Nós, ou um serviço do qual dependemos, estamos com um problema. Nada foi perdido.',
      todo: 'Espere um momento e recarregue esta página. Se não ajudar, comece de novo em {app}.',
    },
  },
  deletion: {
    about: 'Exclusão dos seus dados',
    unknown: 'Código de confirmação desconhecido',
    checkAddress: 'Verifique se o endereço é igual ao que a plataforma informou.',
    done: 'Seus dados foram excluídos',
    running: 'Seus dados estão sendo excluídos',
    received: 'Recebemos sua solicitação em {date}.',
    nothing: 'Não havia dados para excluir',
    nothingFound:
      'Quando recebemos sua solicitação, nenhuma conta sua estava vinculada ao nosso serviço. Por isso, não havia nada para excluir.',
    afterwards: 'Excluímos todos os dados das contas que estavam vinculadas quando você fez a solicitação.',
    spared:
      'Depois da solicitação, você vinculou uma conta novamente. Ela continua vinculada. Desvincule-a no aplicativo para excluir os dados dela.',
    kept: 'Guardamos apenas este código e a data, por um ano. Recibos técnicos, que não identificam você, são excluídos após sete dias.',
    copies: 'O aplicativo pode ter cópias dos seus dados. Peça que ele as exclua.',
    meanwhile: 'Ninguém mais pode lê-los. Você pode acompanhar o andamento nesta página.',
    code: 'Seu código de confirmação:',
  },
};
