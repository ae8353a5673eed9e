import type { PageTexts } from './page-texts.ts';

export const fr: PageTexts = {
  unknownApp: 'l’application d’où vous venez',
  back: 'Retour à {app}',
  reference: 'Besoin d’aide ? Indiquez cette référence :',
  operator: {
    by: 'Ce service est exploité par {operator}.',
    contact: 'Nous contacter',
    privacy: 'Politique de confidentialité',
    terms: 'Conditions d’utilisation',
  },
  connect: { headline: 'Associer un compte', nothing: 'Rien n’a été associé.', doing: 'associer un compte' },
  identity: { headline: 'Connexion', nothing: 'Vous n’êtes pas connecté.', doing: 'vous connecter' },
  onward: { title: 'Un instant', link: 'Continuer' },
  refusals: {
    wrongMethod: {
      title: 'Cette page ne peut pas être ouverte directement',
      what: 'Cette adresse est une étape pour {doing}. Elle ne fonctionne pas seule.',
      todo: 'Allez à {app} et commencez là.',
    },
    wrongForm: {
      title: 'Ce lien est incomplet',
      what: 'Nous n’avons pas pu lire la demande qui vous a conduit ici. {nothing}',
      todo: 'Retournez à {app} et recommencez.',
    },
    formTooLarge: {
      title: 'Ce lien est incomplet',
      what: 'Nous n’avons pas pu lire la demande qui vous a conduit ici. {nothing}',
      todo: 'Retournez à {app} et recommencez.',
    },
    launchUnknown: {
      title: 'Ce lien ne fonctionne pas',
      what: 'Le lien est peut-être incomplet ou trop ancien. {nothing}',
      todo: 'Retournez à {app} et recommencez.',
    },
    launchUsed: {
      title: 'Ce lien a déjà été utilisé',
      what: 'Chaque lien fonctionne une fois, et celui-ci a déjà été ouvert, peut-être par un second clic. Si la page suivante est ouverte dans un autre onglet, vous pouvez y continuer.',
      todo: 'Sinon, retournez à {app} et recommencez.',
    },
    launchExpired: {
      title: 'Ce lien a expiré',
      what: 'Il était valable dix minutes. {nothing}',
      todo: 'Retournez à {app} et recommencez.',
    },
    wrongOrigin: {
      title: 'Nous avons bloqué cette demande',
      what: 'La page qui l’a envoyée ne fait pas partie de {app}. {nothing}',
      todo: 'Si vous vouliez le faire, ouvrez {app} vous-même et commencez là.',
    },
    framed: {
      title: 'Cette étape demande toute la fenêtre',
      what: 'La page d’où vous venez se trouve dans une autre page. {nothing}',
      todo: 'Ouvrez {app} dans sa propre fenêtre et commencez là.',
    },
    notNavigation: {
      title: 'Cette étape demande une page à part',
      what: 'La demande ne vient pas d’une page que vous avez ouverte. {nothing}',
      todo: 'Allez sur {app} et recommencez.',
    },
    notAllowed: {
      title: 'Ce n’est plus possible',
      what: 'Les réglages de {app} ont changé depuis que vous avez commencé. {nothing}',
      todo: 'Retournez à {app} pour voir ce qui est possible.',
    },
    paused: {
      title: 'L’association est en pause',
      what: 'Vous ne pouvez pas associer de compte de cette plateforme pour le moment. {nothing}',
      todo: 'Retournez à {app} et réessayez plus tard.',
    },
    disconnecting: {
      title: 'Une dissociation est encore en cours',
      what: 'Nous dissocions un autre de vos comptes de la même plateforme. Vous pourrez ensuite associer un compte.',
      todo: 'Retournez à {app} et réessayez dans quelques minutes.',
    },
    callbackUnknown: {
      title: 'Ce lien n’est pas valable ou a déjà été utilisé',
      what: 'Cette étape est déjà terminée, ou elle n’a jamais commencé.',
      todo: 'Retournez à {app} et recommencez.',
    },
    callbackExpired: {
      title: 'Le délai est dépassé',
      what: 'Nous attendons votre décision pendant dix minutes. {nothing}',
      todo: 'Retournez à {app} et recommencez.',
    },
    wrongBrowser: {
      title: 'Continuez dans le navigateur où vous avez commencé',
      what: 'Vous avez commencé dans un autre navigateur, ou celui-ci n’a pas gardé notre cookie.',
      todo: 'Retournez à cet autre navigateur. S’il s’agit de celui-ci, autorisez les cookies et recommencez depuis {app}.',
    },
    answerUnusable: {
      title: 'La réponse n’est pas valable',
      what: 'La plateforme vous a renvoyé avec une réponse que nous ne pouvons pas accepter. {nothing}',
      todo: 'Retournez à {app} et recommencez.',
    },
    prefetch: {
      title: 'Pas encore ouverte',
      what: 'Cette page ne peut pas être chargée à l’avance.',
      todo: 'Ouvrez-la pour continuer.',
    },
    tooManyTries: {
      title: 'Trop de tentatives',
      what: 'Nous avons reçu trop de demandes de votre réseau en peu de temps.',
      todo: 'Attendez une minute, puis retournez à {app} et recommencez.',
    },
    unavailable: {
      title: 'Temporairement indisponible',
      what: 'Nous, ou un service dont nous dépendons, avons un problème. Rien n’est perdu.',
      todo: 'Attendez un instant et rechargez cette page. Si cela n’aide pas, recommencez depuis {app}.',
    },
  },
  deletion: {
    about: 'Suppression de vos données',
    unknown: 'Code de confirmation inconnu',
    checkAddress: 'Vérifiez que l’adresse correspond à celle que la plateforme vous a donnée.',
    done: 'Vos données sont supprimées',
    running: 'La suppression de vos données est en cours',
    received: 'Nous avons reçu votre demande le {date}.',
    nothing: 'Aucune donnée à supprimer',
    nothingFound:
      'Lorsque nous avons reçu votre demande, aucun de vos comptes n’était associé à notre service. Il n’y avait donc rien à supprimer.',
    afterwards: 'Nous avons supprimé toutes les données des comptes qui étaient associés au moment de votre demande.',
    spared:
      'Après votre demande, vous avez de nouveau associé un compte. Il est toujours associé. Dissociez-le dans l’application pour supprimer ses données.',
    kept: 'Nous conservons uniquement ce code et la date, pendant un an. Les reçus techniques, qui ne vous nomment pas, sont supprimés après sept jours.',
    copies: 'L’application a peut-être des copies de vos données. Demandez-lui de les supprimer.',
    meanwhile: 'Plus personne ne peut les lire. Vous pouvez suivre l’avancement sur cette page.',
    code: 'Votre code de confirmation :',
  },
};
