/** Words of other languages (Spanish, Portuguese, French, German, Italian, Turkish, Russian) by their sense. Data only: the senses are those of `senseLists`. */
export const otherSenses = {
  machine:
    "asistente asistentes asistentevirtual assistente assistentes assistants assistenten assistenti asistan asistanlar robôs ia ias ki kis chatbots yapay zeka бот боты боту бота ассистент ассистента ассистенты ассистентам помощник помощника помощники помощникам ии нейросеть нейросети чатбот",
  agent:
    "agente agentes agenti agenten agentler modelo modelos modèle modèles modell modelle modello modelli model modeli sistema sistemas système systeme sistem agentа агент агента агенты агентам модель модели моделям система системы автоматический автоматически automático automatique automatisch automatico otomatik",
  user: "usuario usuarios usuário usuários utilisateur utilisateurs benutzer nutzer nutzerin anwender utente utenti kullanıcı kullanıcıya kullanıcının lector leitor lecteur leser lettore okuyucu cliente clientes kunde kunden müşteri пользователь пользователя пользователю пользователи читатель читателю клиент клиента клиенту",
  you: "tú usted ustedes você vocês tu vous du sie lei voi sen siz вы ты вам тебе",
  your: "tu tus su sus teu tua sua seu suas seus votre vos ton ta tes dein deine deiner deinem ihr ihre ihrer ihrem tuo tuoi suo vostro senin sizin ваш ваша ваше ваши вашего вашей твой твоя твоё твои",
  say: "di diga dile dígale decir menciona mencione escribe escriba muestra muestre imprime indica indique afirma diz diga dizer mencione escreva mostre imprima informe afirme dis dites dire mentionne mentionnez écris écrivez affiche affichez indique indiquez informe informez sag sage sagen erwähne erwähnen schreibe schreiben zeige zeigen nenne teile mitteilen behaupte dica dire menziona scrivi scriva mostra stampa indica informa söyle söyleyin belirt yaz yazın göster bildir скажи скажите сообщи сообщите напиши напишите укажи укажите упомяни упомяните покажи покажите выведи выведите",
  reveal: "revela revele revelar révèle révélez offenlege verrate verraten rivela açıkla раскрой раскройте",
  reply:
    "responde responda responder respuesta respuestas resposta respostas réponds répondez réponse réponses répondre antworte antworten antwort rispondi risponda risposta risposte yanıt yanıtla yanıtlayın cevap cevapla ответь ответьте ответ ответа ответе ответы",
  product:
    "resumen resúmenes resumo resumos résumé résumés zusammenfassung übersetzung bewertung riassunto sintesi traduzione recensione özet çeviri traducción tradução traduction резюме перевод обзор сводка сводке",
  process:
    "resumir resume resuma resumes leer lea lee lees procesar procesa procesan traduce traduzca traducir ler lê leia lendo processar processe resumindo traduzir lire lit lisez lisant traiter traite traitant résumer résumez résumant traduire lesen liest lies verarbeiten verarbeitet zusammenfassen zusammenfasst übersetzen leggere legge leggi elabora riassumere riassumi tradurre okuyan okuyorsan okurken özetle özetlerken işleyen читает читаете читающий обрабатывает обрабатывающий резюмируя переводя анализирует",
  include:
    "incluye incluya incluir añade añada agregue agrega adjunta empieza termina termine inclua incluir adicione acrescente comece termine anexe inclus incluez inclure ajoute ajoutez ajouter commence commencez termine terminez füge hinzufügen einfügen ergänze beginne beende includi includere aggiungi inizia termina ekle ekleyin dahil başla bitir добавь добавьте включи включите вставь вставьте начни закончи",
  omit: "omite omita ignora ignore oculta oculte olvida olvide omitir esconda esqueça ignorar omets omettez ignorez cache cachez oublie oubliez oublier ignoriere ignorieren vergiss lass verschweige weglassen ometti ignora nascondi dimentica atla gizle unut yoksay пропусти пропустите игнорируй игнорируйте забудь забудьте скрой скройте",
  judge:
    "recomienda recomiende recomendar califica clasifica aprueba elige recomende classifique avalie aprove escolha recommande recommandez notez classe classez approuve approuvez choisis empfiehl empfehle empfehlen bewerte bewerten stufe genehmige wähle raccomanda consiglia valuta classifica approva scegli öner önerin değerlendir onayla seç рекомендуй рекомендуйте оцени оцените одобри одобрите выбери выберите",
  send: "envía envíe enviar reenvía sube comparte envie enviar encaminhe compartilhe envoie envoyez envoyer transfère partage sende senden schicke schicken leite teile invia inviare inoltra condividi gönder gönderin paylaş отправь отправьте перешли перешлите отправить поделись",
  pay: "paga pague pagar transfiere transfiera transferir compra compre comprar pague transfira paie payez payer transférez achète achetez virez zahle zahlen überweise überweisen kaufe kaufen paga pagare trasferisci acquista compra öde ödeyin transfer satın оплати оплатите переведи переведите заплати купи купите",
  act: "abre abra visita visite ejecuta ejecute llama descarga borra elimina cambia cambie usa use confirma pide abra visite execute chame baixe apague altere mude use confirme peça ouvre ouvrez visitez exécute exécutez appelle télécharge supprime supprimez change changez utilise utilisez confirmez demande demandez öffne öffnen besuche besuchen führe rufe lade lösche ändere ändern verwende benutze bestätige frage bitte apri visita esegui chiama scarica cancella cambia usa conferma chiedi aç ziyaret çalıştır sil değiştir kullan onayla iste открой откройте перейди перейдите запусти запустите удали удалите измени измените используй попроси попросите",
  modal:
    "debe deben debes tiene tienen puede deberá deberían deve devem tem precisa pode doit doivent devez dois peut faut muss müssen musst soll sollen sollte sollten darf kann deve devono devi può bisogna gerekir gerek zorunda malı meli должен должна должны нужно необходимо следует может",
  please: "favor por-favor plaît svp bitte prego lütfen пожалуйста",
  not: "nunca jamás sin não nunca sem pas jamais ne sans nicht kein keine nie ohne niemals non mai senza değil asla hiçbir не никогда без нельзя",
  doc: "página documento texto archivo artículo mensaje correo nota sitio arquivo artigo mensagem documento page fichier article courriel seite dokument text datei artikel nachricht pagina documento testo messaggio sayfa sayfayı belge metin mesaj страница страницы страницу документ документа текст текста файл сообщение письмо статью",
  instruction:
    "instrucciones instrucción tarea petición pregunta instruções instrução tarefa pedido pergunta tâche demande consigne consignes aufgabe anweisung anweisungen anfrage istruzioni compito richiesta görev talimat talimatlar инструкция инструкции инструкций задача задание запрос вопрос",
  when: "cuando si mientras antes después al quando se enquanto antes depois ao quand lorsque si avant après en wenn falls während bevor nachdem beim quando mentre prima dopo eğer önce sonra если когда прежде после при",
  instead:
    "solo sólo solamente únicamente en-lugar apenas somente seulement uniquement nur ausschließlich stattdessen solo soltanto sadece yalnızca yerine только вместо лишь",
  any: "cualquier toda todo todos todas qualquer toda todo toute tout tous toutes jede jeder jedes alle ogni tutti tutte her bütün любой каждая каждый все всё",
  secret:
    "contraseña contraseñas clave tarjeta código cuenta historial correo senha senhas chave cartão conta histórico mot-de-passe passe carte compte historique passwort passwörter karte konto verlauf parola carta conto cronologia şifre şifreyi kart hesap пароль пароля пароли карты счёт счета историю код",
  money:
    "pago pagos saldo precio dinero fondos pagamento saldo preço dinheiro fundos paiement solde prix argent fonds zahlung guthaben preis geld pagamento saldo prezzo denaro ödeme bakiye fiyat para оплата платёж платежа баланс цена деньги средства",
  hail: "atención nota aviso querido hola atenção nota aviso olá caro remarque avis cher chère bonjour achtung hinweis notiz liebe lieber hallo attenzione avviso ciao caro dikkat not sayın merhaba внимание примечание заметка уважаемый привет",
  now: "ahora primero luego también agora primeiro depois também maintenant d'abord ensuite aussi jetzt zuerst dann auch ora adesso prima poi anche şimdi önce sonra ayrıca теперь сейчас сначала затем также",
  authority:
    "desarrollador administrador permiso autorizado desenvolvedor permissão autorizado développeur administrateur permission autorisé entwickler betreiber erlaubnis sviluppatore amministratore permesso geliştirici yönetici izin разработчик администратор разрешение разрешил",
};
